import { useCallback, useEffect, useState } from 'react'
import type { Document } from './openapi.ts'

/** The service's own description of itself; `failed` when it can't be fetched. */
export function useDocument() {
  const [document, setDocument] = useState<Document | null>(null)
  const [failed, setFailed] = useState(false)
  const load = useCallback(async () => {
    setFailed(false)
    try {
      const reply = await fetch('/openapi.json')
      if (!reply.ok) throw new Error(`The document answered ${reply.status}`)
      // Its own tests hold the document to the shape that is read here.
      setDocument((await reply.json()) as Document)
    } catch {
      setFailed(true)
    }
  }, [])
  useEffect(() => void load(), [load])
  return { document, failed, retry: () => void load() }
}

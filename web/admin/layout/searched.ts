import { z } from 'zod'

/** What the address of a list says that can be searched. */
export const searched = z.object({ q: z.string().optional().catch(undefined) })

import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Has processes share what they compiled: a start takes half the time from the second one on. Node checks what it reuses. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'goldweight-compile-cache'),
} as const

import { z } from 'zod'

/** What the configuration file manages: it is changed there, and nowhere else. */
export const managedItemList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      kind: z.enum(['setting', 'provider', 'model', 'package']),
      name: z.string().describe('as the file names it'),
      item_id: z.string(),
    }),
  ),
  next_cursor: z.null(),
})

import { z } from 'zod'
import { displayName } from './primitives.ts'

/** The largest picture, in bytes: it is sent with the first page of every visit. */
export const MAX_LOGO_BYTES = 65_536

const LONGEST_DATA_URL = 'data:image/webp;base64,'.length + 4 * Math.ceil(MAX_LOGO_BYTES / 3)

/** Both kinds begin with bytes of their own. SVG is left out: it is a document that may hold more than a picture. */
const PICTURE = /^data:image\/(?:png;base64,iVBORw0KGgo|webp;base64,UklGR)[A-Za-z0-9+/]*={0,2}$/

/** What the service is called and how it looks to whoever uses it. */
export const branding = z.object({
  name: displayName.max(40).describe('what the service is called'),
  logo: z
    .string()
    .max(LONGEST_DATA_URL, 'must be a picture of at most 64 kB')
    .regex(PICTURE, 'must be a PNG or WebP picture as a data URL')
    .nullable()
    .describe('a PNG or WebP picture of at most 64 kB as a data URL; null: the mark of Goldweight'),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/, 'must be a colour such as #1a6f5c')
    .nullable()
    .describe('from which the accent of the pages follows, such as #1a6f5c; null: gold'),
})

export type Branding = z.infer<typeof branding>

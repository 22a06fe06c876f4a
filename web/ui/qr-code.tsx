import { encode } from 'uqr'

export type QrCodeProps = {
  readonly text: string
  /** What it is a picture of, read aloud. */
  readonly label: string
  readonly className?: string
}

/** A text as a picture for cameras: dark on light in every theme, since many cameras read no other. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { size, data } = encode(text, { border: 2 })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#1d1a15" />
    </svg>
  )
}

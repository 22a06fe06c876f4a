import { Button as BaseButton } from '@base-ui/react/button'
import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'

/** The classes of a button, for what looks like one and is a link. */
export const buttonClasses = cva(
  [
    'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap select-none',
    'transition-colors duration-100 disabled:opacity-60 data-disabled:opacity-60',
  ],
  {
    variants: {
      look: {
        primary: 'bg-gold-fill text-on-gold hover:bg-gold-fill-strong',
        plain: 'border border-field-line/60 bg-surface text-ink hover:bg-sunken',
        quiet: 'text-ink hover:bg-sunken',
        danger: 'bg-bad text-surface hover:opacity-90',
      },
      size: {
        regular: 'h-10 px-4 text-sm',
        small: 'h-8 px-3 text-sm',
        icon: 'size-10 shrink-0',
        'small-icon': 'size-8 shrink-0',
      },
    },
    defaultVariants: { look: 'plain', size: 'regular' },
  },
)

export type ButtonProps = ComponentProps<typeof BaseButton> &
  VariantProps<typeof buttonClasses> & {
    /** Something is on its way: the button says so, stays focused and can't be pressed again. */
    readonly pending?: boolean
  }

export function Button({
  look,
  size,
  pending = false,
  className,
  children,
  disabled,
  ...props
}: ButtonProps) {
  return (
    <BaseButton
      type="button"
      {...props}
      // A pending button keeps the focus: whoever works by keyboard is not thrown back to the top of the page.
      disabled={disabled || pending}
      focusableWhenDisabled={pending}
      aria-busy={pending || undefined}
      className={buttonClasses({
        look,
        size,
        className: typeof className === 'string' ? className : undefined,
      })}
    >
      {pending && <Spinner />}
      {children}
    </BaseButton>
  )
}

function Spinner() {
  return (
    <svg className="size-4 animate-spin" viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <circle cx="8" cy="8" r="6" stroke="currentColor" strokeWidth="2" opacity="0.3" />
      <path d="M14 8a6 6 0 0 0-6-6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}

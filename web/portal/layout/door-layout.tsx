import { Link } from '@tanstack/react-router'
import { DoorLayout as SharedDoorLayout, type DoorLayoutProps as SharedProps } from '#web/ui/door-layout.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'

export type OtherDoorProps = {
  readonly question: string
  readonly to: '/sign-in' | '/sign-up'
  readonly label: string
  /** Where to end up after either. */
  readonly from: string | undefined
}

/** The way to the other door, for who came to the wrong one. */
export function OtherDoor({ question, to, label, from }: OtherDoorProps) {
  return (
    <>
      {question}{' '}
      <Link to={to} search={{ from }} className={textLinkClasses}>
        {label}
      </Link>
    </>
  )
}

export type DoorLayoutProps = Pick<SharedProps, 'title' | 'children'> & { readonly other: OtherDoorProps }

/** The frame of a door of the portal, with the way to the other one. */
export function DoorLayout({ title, children, other }: DoorLayoutProps) {
  return (
    <SharedDoorLayout title={title} foot={<OtherDoor {...other} />}>
      {children}
    </SharedDoorLayout>
  )
}

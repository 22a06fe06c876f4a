import type { PanelOfPersonProps } from './profile-panel.tsx'

/** What every dialog is told that changes how somebody signs in. */
export type PersonDialogProps = PanelOfPersonProps & {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onChanged: () => void
}

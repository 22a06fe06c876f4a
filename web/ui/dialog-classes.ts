import { classNames } from './class-names.ts'

export const backdropClasses = classNames(
  'fixed inset-0 z-40 bg-[rgb(20_16_8/0.45)] transition-opacity duration-150',
  'data-starting-style:opacity-0 data-ending-style:opacity-0',
)

/** In the middle on a desk; on a phone it rises from the lower edge, where the thumb is. */
export const panelClasses = classNames(
  'fixed z-50 max-h-[90dvh] overflow-y-auto border border-line bg-surface p-6 text-ink shadow-float outline-none',
  'inset-x-0 bottom-0 rounded-t-xl pb-[max(1.5rem,env(safe-area-inset-bottom))]',
  'sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[34rem] sm:max-w-[calc(100vw-2rem)]',
  'sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-xl',
  'transition-[opacity,transform] duration-150',
  'data-starting-style:opacity-0 data-ending-style:opacity-0 max-sm:data-starting-style:translate-y-6',
)

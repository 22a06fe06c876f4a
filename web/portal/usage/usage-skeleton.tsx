/** As the administrators see it too. */
export { UsageSkeleton } from '#web/usage/usage-skeleton.tsx'

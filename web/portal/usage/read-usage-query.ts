/** As the administrators ask it too. */
export { type AskedUsage, readUsageQuery } from '#web/usage/read-usage-query.ts'

/** When a day begins for the reader, or the one that comes so many days after it: RFC 3339. */
export function midnight(day: string, daysAfter: number): string {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + daysAfter)
  return date.toISOString()
}

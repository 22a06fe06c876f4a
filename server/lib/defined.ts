/** A member, where there is a value for it. */
export function defined<Name extends string, Value>(name: Name, value: Value | null | undefined) {
  // The computed name is the one that the type says.
  return (value == null ? {} : { [name]: value }) as { [Key in Name]?: Value }
}

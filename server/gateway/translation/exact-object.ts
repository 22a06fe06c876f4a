import { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'

const NOT_CARRIED = 'can not be carried over to the upstream of this model'

/**
 * An object of which no other members may stand than these: one that we do not know might matter to the caller, and
 * can't be said to an upstream of another protocol. Members that are null say nothing and may stand.
 */
export function exactObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject(shape).superRefine((value, context) => {
    for (const name of Object.keys(value)) {
      // Own members alone are known names: a caller may well send one called `constructor`.
      if (!Object.hasOwn(shape, name) && value[name] != null) {
        context.addIssue({ code: 'custom', path: [name], message: NOT_CARRIED, params: { notCarried: true } })
      }
    }
  })
}

/** A member that must be absent, or one of the values that change nothing. */
export function onlyWhere<Value>(schema: z.ZodType<Value>) {
  return z
    .unknown()
    .superRefine((value, context) => {
      if (value == null || schema.safeParse(value).success) return
      context.addIssue({ code: 'custom', message: NOT_CARRIED, params: { notCarried: true } })
    })
    .optional()
}

/** A member that can't be carried over, whatever it says. */
export const neverCarried = onlyWhere(z.never())

/** The refusal of a body that does not fit: names the first field that does not. */
export function refusalOfBody({ issues }: z.ZodError): ServiceError {
  const issue = innermost(issues[0])
  if (!issue) return refusals.invalid('The request body is not valid')
  const field = issue.path.join('.')
  const isNotCarried = issue.code === 'custom' && issue.params?.notCarried === true
  if (isNotCarried) return refusals.notCarriedOver(field, issue.message)
  // A kind of part, item or tool that there may well be, and not among those that can be said.
  if (issue.code === 'invalid_union' && issue.discriminator === 'type') {
    return refusals.notCarriedOver(field, NOT_CARRIED)
  }
  return refusals.invalid(field === '' ? issue.message : `${field}: ${issue.message}`)
}

type Issue = z.core.$ZodIssue

/** Of a choice between shapes, what was wrong with the shape that came nearest: the one that failed deepest. */
function innermost(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const candidates = issue.errors.flatMap(issues => innermost(issues[0]) ?? [])
  const deepest = candidates.toSorted((a, b) => b.path.length - a.path.length)[0]
  if (!deepest || deepest.path.length === 0) return issue
  return { ...deepest, path: [...issue.path, ...deepest.path] }
}

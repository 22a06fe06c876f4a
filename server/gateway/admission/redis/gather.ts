import type { Caller } from '#domains/keys/caller.ts'
import type { AdmissionDecision } from '#gateway/admission/engine.ts'
import type { Question } from '#gateway/admission/memory-engine.ts'
import { SLOTS_A_CALL } from './scripts.ts'

/** About requests of one caller under the same controls, none of which brings a balance of its own but the only one. */
export type Questions = readonly [Question, ...Question[]]

/** Answers all of them, in their order. */
export type AskTogether = (questions: Questions) => Promise<readonly AdmissionDecision[]>

type Asked = { readonly question: Question } & Pick<
  PromiseWithResolvers<AdmissionDecision>,
  'resolve' | 'reject'
>
type Group = [Asked, ...Asked[]]

/**
 * Makes one call of the questions about one caller that come in the same turn of the event loop, as they do where many
 * requests of one key are in flight: a call costs both sides far more than a question. Nobody loses by it, for no answer
 * could be read before the next turn.
 */
export function gatherQuestions(ask: AskTogether): (question: Question) => Promise<AdmissionDecision> {
  let groups = new Map<Caller, Group>()

  async function send(group: Group): Promise<void> {
    const [first, ...others] = group
    try {
      const decisions = await ask([first.question, ...others.map(({ question }) => question)])
      for (const [index, { resolve, reject }] of group.entries()) {
        const decision = decisions[index]
        if (decision) resolve(decision)
        else reject(new Error('A question was left without an answer'))
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  function sendAll(): void {
    const gathered = groups
    groups = new Map()
    for (const group of gathered.values()) void send(group)
  }

  return question => {
    const { caller, controls, balance } = question
    const { promise, resolve, reject } = Promise.withResolvers<AdmissionDecision>()
    const asked = { question, resolve, reject }
    const group = groups.get(caller)
    if (balance) void send([asked])
    else if (group && group[0].question.controls === controls && group.length < SLOTS_A_CALL)
      group.push(asked)
    else {
      if (groups.size === 0) setImmediate(sendAll)
      if (group) void send(group)
      groups.set(caller, [asked])
    }
    return promise
  }
}

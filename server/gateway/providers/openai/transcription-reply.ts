import { reportedUnits } from '#gateway/metering/reported-units.ts'
import { readResponsesUsage } from '#gateway/metering/responses-usage.ts'
import { fields } from '#gateway/metering/usage.ts'
import type { ReplyShape } from '#gateway/providers/read-reply.ts'
import { findError } from './chat-reply.ts'

/** Where a cue of SRT (`,`) or WebVTT (`.`) ends; WebVTT may leave the hours out. */
const CUE_END = /-->\s*(?:(\d+):)?(\d{2}):(\d{2})[.,](\d{3})/g

/**
 * What was said in a piece of audio. Models that are charged by time report seconds, `usage.seconds` or `duration`; those
 * charged by tokens report these. Asked for plain text, none of them reports anything.
 */
export const transcriptionReply: ReplyShape = {
  findError,
  isAnswer: ({ text, segments }) => typeof text === 'string' || Array.isArray(segments),
  readUsage: reply => readResponsesUsage(reply.usage),
  textOf: ({ text }) => (typeof text === 'string' ? text : ''),
  countUnits: reply => reportedUnits(fields(reply.usage).seconds ?? reply.duration ?? null),
  readPlain: text => ({ outputText: text, unitCount: secondsOfCues(text) }),
}

/** How long subtitles go on, which is nearly as long as the audio does; null for a text without times. */
function secondsOfCues(text: string): number | null {
  let end: number | null = null
  for (const [, hours = '0', minutes, seconds, thousandths] of text.matchAll(CUE_END)) {
    const at = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(thousandths) / 1000
    end = Math.max(end ?? 0, at)
  }
  return reportedUnits(end)
}

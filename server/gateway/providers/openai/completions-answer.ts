import { ChatAnswer, type ChatAnswerOptions, type ChoiceReading } from './chat-answer.ts'
import { textOfCompletion } from './chat-reply.ts'

const TEXT_CHOICES: ChoiceReading = {
  textOf: textOfCompletion,
  hasContent: choice => textOfCompletion(choice) !== '',
}

/** A streamed completion of the older kind: the events of a chat whose choices are texts. */
export class CompletionsAnswer extends ChatAnswer {
  constructor(options: ChatAnswerOptions) {
    super(options, TEXT_CHOICES)
  }
}

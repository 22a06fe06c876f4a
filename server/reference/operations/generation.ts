import { quota } from '#contract/accounts.ts'
import {
  chatRequest,
  completionsRequest,
  countTokensRequest,
  embeddingsRequest,
  formRequest,
  imagesRequest,
  messagesRequest,
  moderationsRequest,
  rerankRequest,
  responsesRequest,
  speechRequest,
  tokenCount,
} from '#contract/generation.ts'
import type { Operation, Operations } from '../operation.ts'

const STREAMED = 'Streams server-sent events when the body has `"stream": true`. '
const PASSED = 'Fields that are not named here pass through to the model as they are.'
const GENERATION = { tag: 'Generation', access: 'key', takesIdempotencyKey: true } as const
const MESSAGES = [{ role: 'user', content: 'What is gold?' }]

/** Files go as form data, and only the fields that decide where they go are looked at. */
function withFile(summary: string, file: string, replyExample: unknown): Operation {
  return {
    ...GENERATION,
    summary,
    description:
      'Sent as form data; files and fields that are not named here pass through to the model as they are.',
    body: formRequest,
    bodyType: 'multipart/form-data',
    bodyExample: { model: 'acme/scale-1', [file]: '(binary)' },
    replyExample,
  }
}

const CHAT: Operations = {
  'POST /v1/chat/completions': {
    ...GENERATION,
    summary: 'Chat with a model, in the OpenAI convention',
    description: STREAMED + PASSED,
    body: chatRequest,
    bodyExample: { model: 'acme/scale-1', messages: MESSAGES },
    replyExample: {
      id: 'chatcmpl-01k9s4',
      object: 'chat.completion',
      created: 1_795_248_000,
      model: 'acme/scale-1',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'A metal that keeps.' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
    },
  },
  'POST /v1/messages': {
    ...GENERATION,
    summary: "Chat with a model, in Anthropic's convention",
    description: `${STREAMED}The key may stand in \`x-api-key\` as well; errors have Anthropic's envelope. ${PASSED}`,
    body: messagesRequest,
    bodyExample: { model: 'acme/scale-1', max_tokens: 500, messages: MESSAGES },
    replyExample: {
      id: 'msg_01k9s4',
      type: 'message',
      role: 'assistant',
      model: 'acme/scale-1',
      content: [{ type: 'text', text: 'A metal that keeps.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 5 },
    },
  },
  'POST /v1/messages/count_tokens': {
    ...GENERATION,
    takesIdempotencyKey: false,
    summary: 'Count the tokens of a question before it is asked',
    description:
      'By an upstream that counts itself, else by our own estimate. Costs nothing, and counts in the request rate of the key.',
    body: countTokensRequest,
    bodyExample: { model: 'acme/scale-1', messages: MESSAGES },
    reply: tokenCount,
    replyExample: { input_tokens: 11 },
  },
  'POST /v1/responses': {
    ...GENERATION,
    summary: "Ask a model, in the convention of OpenAI's Responses",
    description: `${STREAMED}Answers are not kept here: none can be fetched or deleted later. ${PASSED}`,
    body: responsesRequest,
    bodyExample: { model: 'acme/scale-1', input: 'What is gold?' },
    replyExample: {
      id: 'resp_01k9s4',
      object: 'response',
      created_at: 1_795_248_000,
      status: 'completed',
      model: 'acme/scale-1',
      output: [
        {
          type: 'message',
          id: 'msg_01k9s4',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'A metal that keeps.', annotations: [] }],
        },
      ],
      usage: { input_tokens: 11, output_tokens: 5, total_tokens: 16 },
    },
  },
  'POST /v1/completions': {
    ...GENERATION,
    summary: 'Complete a plain text, in the older OpenAI convention',
    description: STREAMED + PASSED,
    body: completionsRequest,
    bodyExample: { model: 'acme/scale-1', prompt: 'Gold is' },
    replyExample: {
      id: 'cmpl-01k9s4',
      object: 'text_completion',
      created: 1_795_248_000,
      model: 'acme/scale-1',
      choices: [{ index: 0, text: ' a metal that keeps.', logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
    },
  },
}

const OTHER: Operations = {
  'POST /v1/embeddings': {
    ...GENERATION,
    summary: 'Turn texts into vectors',
    description: PASSED,
    body: embeddingsRequest,
    bodyExample: { model: 'acme/embed-1', input: ['gold', 'silver'] },
    replyExample: {
      object: 'list',
      model: 'acme/embed-1',
      data: [
        { object: 'embedding', index: 0, embedding: [0.021, -0.4, 0.11] },
        { object: 'embedding', index: 1, embedding: [0.019, -0.38, 0.2] },
      ],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    },
  },
  'POST /v1/rerank': {
    ...GENERATION,
    summary: 'Order documents by how well they answer a query',
    description: PASSED,
    body: rerankRequest,
    bodyExample: { model: 'acme/rank-1', query: 'noble metals', documents: ['Gold keeps.', 'Iron rusts.'] },
    replyExample: {
      results: [
        { index: 0, relevance_score: 0.94 },
        { index: 1, relevance_score: 0.07 },
      ],
    },
  },
  'POST /v1/moderations': {
    ...GENERATION,
    summary: 'Judge whether a text may do harm',
    description: PASSED,
    body: moderationsRequest,
    bodyExample: { model: 'acme/guard-1', input: 'What is gold?' },
    replyExample: {
      id: 'modr-01k9s4',
      model: 'acme/guard-1',
      results: [{ flagged: false, categories: { violence: false }, category_scores: { violence: 0.0001 } }],
    },
  },
  'POST /v1/images/generations': {
    ...GENERATION,
    summary: 'Make a picture from words',
    description: PASSED,
    body: imagesRequest,
    bodyExample: { model: 'acme/paint-1', prompt: 'A brass weight in the shape of a spiral' },
    replyExample: { created: 1_795_248_000, data: [{ b64_json: 'iVBORw0KGgo…' }] },
  },
  'POST /v1/images/edits': withFile('Change a picture by words', 'image', {
    created: 1_795_248_000,
    data: [{ b64_json: 'iVBORw0KGgo…' }],
  }),
  'POST /v1/images/variations': withFile('Make pictures like a picture', 'image', {
    created: 1_795_248_000,
    data: [{ b64_json: 'iVBORw0KGgo…' }],
  }),
  'POST /v1/audio/speech': {
    ...GENERATION,
    summary: 'Read a text aloud',
    description: `Answers with sound. ${PASSED}`,
    body: speechRequest,
    bodyExample: { model: 'acme/voice-1', input: 'Gold is a metal that keeps.', voice: 'ama' },
    replyType: 'audio/mpeg',
  },
  'POST /v1/audio/transcriptions': withFile('Write down what is said', 'file', {
    text: 'Gold is a metal that keeps.',
  }),
  'POST /v1/audio/translations': withFile('Write down in English what is said', 'file', {
    text: 'Gold is a metal that keeps.',
  }),
}

/** Routes with a `gw_` key. The gateway serves them before the framework, so their schemas are named here. */
export const GATEWAY_OPERATIONS: Operations = {
  ...CHAT,
  ...OTHER,
  'GET /v1/quota': {
    tag: 'Account',
    access: 'key',
    summary: 'Read what the account of the calling key has used and has left',
    description: 'Counts in the request rate of the key, and costs nothing.',
    reply: quota,
  },
}

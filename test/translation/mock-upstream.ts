/** What tests with a mock of the upstreams' protocols share. */

/** By the names of each protocol: the mock takes those that it knows, and reports nothing unless it is told. */
export const MOCK_USAGE = {
  prompt_tokens: 20,
  completion_tokens: 7,
  total_tokens: 27,
  input_tokens: 20,
  output_tokens: 7,
  promptTokenCount: 20,
  candidatesTokenCount: 7,
  totalTokenCount: 27,
}

/**
 * A name that no model bears: a provider whose models are listed elsewhere than where they are called is tested by a
 * call of it, which costs nothing.
 */
export const MISSING_MODEL = 'no-such-model-connection-test'

/** As the administrators see it too. */
export { KeyState, keyState } from '#web/keys/key-state.tsx'

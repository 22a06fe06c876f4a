/** As the administrators see it too. */
export { KeyName } from '#web/keys/key-name.tsx'

import { testEngine } from './engine-suite.ts'
import { createMemoryAdmission } from './memory-engine.ts'

testEngine({
  runs: 100,
  open: async () => {
    let nowMs = 5_000_000
    const engine = createMemoryAdmission({ clock: { monotonicMs: () => nowMs } })
    return {
      engine,
      pass: async ms => {
        nowMs += ms
      },
      close: async () => engine.close(),
    }
  },
})

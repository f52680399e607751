/** A receipt printer: ESC/POS with `DLE EOT`, `GS I`, and `GS ( H` or `GS r`. */
import type { Interpreter, Machine, Traits } from './device.ts'
import { canPrint, startDevice } from './device.ts'

export interface EpsonTraits extends Traits {
  /** It answers `GS ( H` function 48. */
  hasIds: boolean
  /** A clone that answers `GS ( H` at once. No host can notice it. */
  answersAtOnce?: boolean
  /** Keyed by the number of `GS I`. */
  names?: Record<number, string>
}

export const startEpson = (traits: EpsonTraits) => startDevice(traits, (machine) => createInterpreter(machine, traits))

/** What waits for its turn: a sheet that a cut ends, or an answer. */
type Step = { sheet: string } | { answer: () => void }

function createInterpreter(machine: Machine, { hasIds, answersAtOnce, names = {} }: EpsonTraits): Interpreter {
  let bytes = Buffer.alloc(0)
  let line = ''
  let steps: Step[] = []

  const runAnswers = () => {
    while (steps[0] && 'answer' in steps[0] && canPrint(machine)) (steps.shift() as { answer: () => void }).answer()
  }

  function readStatus(n: number): number {
    const isOffline = !canPrint(machine)
    if (n === 1) return isOffline ? 0x1a : 0x12
    if (n === 2) return 0x12 | (machine.isOpen ? 0x04 : 0) | (machine.paper <= 0 ? 0x20 : 0)
    if (n === 4) return machine.paper <= 0 ? 0x7e : 0x12
    return 0x12
  }

  /** @returns the length of the command at the begin of `bytes`; undefined if it is not complete. */
  function execute(answer: (bytes: Buffer) => void): number | undefined {
    const [first, second = -1, third = -1] = bytes
    const has = (length: number) => (bytes.length < length ? undefined : length)
    if (first === 0x10 && second === 0x04 && has(3)) {
      answer(Buffer.of(readStatus(third)))
      return 3
    }
    if (first === 0x10) return has(3) && 1
    if (first === 0x1b) {
      if (second === 0x40) line = ''
      return has(2)
    }
    if (first === 0x1d && second === 0x49) {
      const name = names[third]
      if (has(3) && name !== undefined) answer(Buffer.from(`_${name}\0`))
      return has(3)
    }
    if (first === 0x1d && second === 0x76) {
      if (!has(8)) return undefined
      const length = 8 + bytes.readUInt16LE(4) * bytes.readUInt16LE(6)
      if (has(length)) line += `picture ${bytes.subarray(8, length).reduce((sum, byte) => sum + byte, 0)} `
      return has(length)
    }
    if (first === 0x1d && second === 0x28) {
      if (!has(5)) return undefined
      const length = 5 + bytes.readUInt16LE(3)
      if (!has(length)) return undefined
      const id = Buffer.from(bytes.subarray(length - 4, length))
      const reply = () => answer(Buffer.concat([Buffer.from([0x37, 0x22]), id, Buffer.of(0)]))
      if (answersAtOnce) reply()
      else if (hasIds) steps.push({ answer: reply })
      return length
    }
    if (first === 0x1d && second === 0x72) {
      if (has(3)) steps.push({ answer: () => answer(Buffer.of(0)) })
      return has(3)
    }
    if (first === 0x1d && second === 0x56) {
      if (!has(4)) return undefined
      steps.push({ sheet: line })
      line = ''
      return 4
    }
    if (first === 0x1d) return has(3)
    line += String.fromCharCode(first ?? 0)
    return 1
  }

  return {
    receive(chunk, answer) {
      bytes = Buffer.concat([bytes, chunk])
      for (let length = execute(answer); length && bytes.length > 0; length = bytes.length > 0 ? execute(answer) : 0)
        bytes = bytes.subarray(length)
    },
    hasWork() {
      runAnswers()
      return steps.length > 0 && 'sheet' in (steps[0] as Step)
    },
    nextSheet() {
      const step = steps.shift()
      runAnswers()
      return step && 'sheet' in step ? step.sheet.trim() : undefined
    },
    disconnect() {
      bytes = Buffer.alloc(0)
    },
    clear() {
      bytes = Buffer.alloc(0)
      steps = []
      line = ''
    },
  }
}

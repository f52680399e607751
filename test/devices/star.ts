/** A receipt printer of Star: Line Mode with `ESC ACK SOH`, automatic status and `ESC GS ETX`. */
import type { Interpreter, Machine, Traits } from './device.ts'
import { canPrint, startDevice } from './device.ts'

export interface StarTraits extends Traits {
  /** It answers `ESC GS ETX`; otherwise it skips the command and prints the two bytes of the host. */
  hasIds: boolean
  /** It sends its state at the begin of a connection and at each change, and does not answer `ESC ACK SOH`. */
  isAutomatic?: boolean
}

export const startStar = (traits: StarTraits) => startDevice(traits, (machine) => createInterpreter(machine, traits))

/** What waits for its turn: a sheet that a cut ends, or an answer. */
type Step = { sheet: string } | { answer: () => void }

const LENGTHS: Record<number, number> = { 6: 3, 29: 6, 100: 3 }

function createInterpreter(machine: Machine, { hasIds, isAutomatic }: StarTraits): Interpreter {
  let bytes = Buffer.alloc(0)
  let line = ''
  let steps: Step[] = []
  let sent = ''
  const listeners = new Set<(bytes: Buffer) => void>()

  const runAnswers = () => {
    while (steps[0] && 'answer' in steps[0] && canPrint(machine)) (steps.shift() as { answer: () => void }).answer()
  }

  function toStatus(): Buffer {
    const state = (canPrint(machine) ? 0 : 0x08) | (machine.isOpen ? 0x20 : 0)
    return Buffer.of(0x23, 0x06, state, 0, 0, machine.paper <= 0 ? 0x0c : 0, 0, 0, 0)
  }

  /** @returns the length of the command at the begin of `bytes`; undefined if it is not complete. */
  function execute(answer: (bytes: Buffer) => void): number | undefined {
    const [first = 0, second] = bytes
    if (first !== 0x1b) {
      line += String.fromCharCode(first)
      return 1
    }
    if (second === undefined) return undefined
    const length = LENGTHS[second] ?? 2
    if (bytes.length < length) return undefined
    if (second === 0x06 && !isAutomatic) answer(toStatus())
    if (second === 0x64) {
      steps.push({ sheet: line })
      line = ''
    }
    if (second === 0x1d && !hasIds) return 4
    if (second === 0x1d) {
      const reply = Buffer.concat([bytes.subarray(0, length), Buffer.of(2, 0)])
      steps.push({ answer: () => answer(reply) })
    }
    return length
  }

  return {
    connect(answer) {
      if (!isAutomatic) return
      listeners.add(answer)
      answer(toStatus())
    },
    observe() {
      const status = toStatus()
      if (status.toString('hex') !== sent) for (const listener of listeners) listener(status)
      sent = status.toString('hex')
      runAnswers()
    },
    receive(chunk, answer) {
      bytes = Buffer.concat([bytes, chunk])
      while (bytes.length > 0) {
        const length = execute(answer)
        if (!length) return
        bytes = bytes.subarray(length)
      }
    },
    hasWork: () => steps.length > 0 && 'sheet' in (steps[0] as Step),
    nextSheet() {
      const step = steps.shift()
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

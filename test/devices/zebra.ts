/** A label printer: ZPL II with `~HS`, `~HI`, the odometer and other variables. */
import type { Interpreter, Machine, Traits } from './device.ts'
import { canPrint, startDevice } from './device.ts'

export interface ZebraTraits extends Traits {
  /** `~HS` is not answered in a fault. Both are documented. */
  isSilentInFaults?: boolean
  /** The label that moves is one of those that remain. */
  countsMoving?: boolean
  /** It has no `odometer.total_label_count`. */
  hasNoOdometer?: boolean
  /** The answer to `~HI`. */
  identity?: string
  /** Further variables by name. */
  variables?: Record<string, string>
}

export const startZebra = (traits: ZebraTraits) => startDevice(traits, (machine) => createInterpreter(machine, traits))

function createInterpreter(machine: Machine, traits: ZebraTraits): Interpreter {
  let text = ''
  let labels: string[] = []

  function answerStatus(): Buffer | undefined {
    const isFaulty = !canPrint(machine)
    if (isFaulty && traits.isSilentInFaults) return undefined
    const remaining = Math.max(0, labels.length - (machine.isMoving && !traits.countsMoving ? 1 : 0))
    const bit = (value: boolean) => (value ? 1 : 0)
    const first = `030,${bit(machine.paper <= 0)},${bit(machine.isPaused)},1245,000,0,0,0,000,0,0,0`
    const second = `000,0,${bit(machine.isOpen)},0,1,2,4,0,${String(remaining).padStart(8, '0')},1,000`
    return Buffer.from([first, second, '1234,0'].map((line) => `\x02${line}\x03\r\n`).join(''), 'latin1')
  }

  function answerTo(question: string, variable: string | undefined): Buffer | undefined {
    if (question === '~HS') return answerStatus()
    if (variable === undefined) return traits.identity ? Buffer.from(`\x02${traits.identity}\x03\r\n`) : undefined
    const odometer = traits.hasNoOdometer ? '?' : machine.odometer
    return Buffer.from(
      `"${variable === 'odometer.total_label_count' ? odometer : (traits.variables?.[variable] ?? '?')}"`,
    )
  }

  return {
    receive(chunk, answer) {
      text += chunk.toString('latin1')
      for (;;) {
        const start = text.indexOf('^XA')
        // Outside of a format a question is answered, inside of one it would be part of it.
        const question = /~HS|~HI|! U1 getvar "([^"]*)"\r\n/.exec(start === -1 ? text : text.slice(0, start))
        if (question) {
          text = text.slice(question.index + question[0].length)
          const bytes = answerTo(question[0], question[1])
          if (bytes) answer(bytes)
          continue
        }
        const end = text.indexOf('^XZ', start)
        if (start === -1 || end === -1) return
        const format = text.slice(start, end)
        const quantity = Number(/\^PQ(\d+)/.exec(format)?.[1] ?? 1)
        const name = /\^FD([^^]*)\^FS/.exec(format)?.[1] ?? 'a picture'
        labels.push(...Array.from({ length: quantity }, () => name))
        text = text.slice(end + 3)
      }
    },
    hasWork: () => labels.length > 0,
    nextSheet: () => labels.shift(),
    disconnect() {
      text = ''
    },
    clear() {
      labels = []
      text = ''
    },
  }
}

/** A label printer of SATO: SBPL with `ENQ`. */
import type { Interpreter, Machine, Traits } from './device.ts'
import { startDevice } from './device.ts'

export interface SatoTraits extends Traits {
  /** Its answer has the name of the job, as that of newer printers. */
  hasNames?: boolean
  /** The time in which it makes the picture of a label. */
  editMs?: number
}

export const startSato = (traits: SatoTraits) => startDevice(traits, (machine) => createInterpreter(machine, traits))

interface Item {
  name: string
  remaining: number
  /** When its picture is made, in milliseconds after it is the first one. */
  readyAtMs: number | undefined
}

const ENQ = '\x05'

function createInterpreter(machine: Machine, { hasNames, editMs = 0 }: SatoTraits): Interpreter {
  let text = ''
  let items: Item[] = []

  /** The first item, whose picture is made before it is printed. */
  function getItem(): (Item & { isReady: boolean }) | undefined {
    const [item] = items
    if (!item) return undefined
    item.readyAtMs ??= performance.now() + editMs
    return { ...item, isReady: performance.now() >= item.readyAtMs }
  }

  function toStatus(): Buffer {
    const item = getItem()
    const busy = item ? (item.isReady ? 'G' : 'S') : 'A'
    const state = machine.isOpen ? 'b' : machine.paper <= 0 ? 'c' : machine.isPaused ? '0' : busy
    const remaining = String(item?.isReady ? item.remaining : 0).padStart(6, '0')
    const name = hasNames ? (item?.name ?? '').padEnd(16).slice(0, 16) : ''
    return Buffer.from(`\x02${item ? '01' : '  '}${state}${remaining}${name}\x03`, 'latin1')
  }

  return {
    receive(chunk, answer) {
      text += chunk.toString('latin1')
      for (;;) {
        const start = text.indexOf('\x1bA')
        const question = text.slice(0, start === -1 ? undefined : start).indexOf(ENQ)
        if (question !== -1) {
          text = text.slice(question + 1)
          answer(toStatus())
          continue
        }
        const end = text.indexOf('\x1bZ', start)
        if (start === -1 || end === -1) return
        const format = text.slice(start, end)
        const fields = new Map(format.split('\x1b').map((field) => [field[0], field.slice(1)]))
        items.push({ name: fields.get('S') ?? '', remaining: Number(fields.get('Q') ?? 1), readyAtMs: undefined })
        text = text.slice(end + 2)
      }
    },
    hasWork: () => getItem()?.isReady ?? false,
    nextSheet() {
      const [item] = items
      if (!item) return undefined
      item.remaining--
      if (item.remaining === 0) items.shift()
      return item.name
    },
    disconnect() {
      text = ''
    },
    clear() {
      text = ''
      items = []
    },
  }
}

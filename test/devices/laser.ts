/** An office printer: PJL with `INFO STATUS`, `USTATUS` and `JOB`, and text whose pages end with a form feed. */
import type { Interpreter, Machine, Traits } from './device.ts'
import { canPrint, startDevice } from './device.ts'

export interface LaserTraits extends Traits {
  /** It never reports the end of a job. */
  hasNoEnd?: boolean
  /** It reports that a user has cancelled each job. */
  isCancelled?: boolean
  /** Commands behind a document are executed before its pages are out. */
  readsAhead?: boolean
}

export const startLaser = (traits: LaserTraits) => startDevice(traits, (machine) => createInterpreter(machine, traits))

type Step = { page: string; answer: (bytes: Buffer) => void } | { command: () => void }

const UEL = '\x1b%-12345X'
const isPage = (step: Step | undefined) => step !== undefined && 'page' in step

function createInterpreter(machine: Machine, { hasNoEnd, isCancelled, readsAhead }: LaserTraits): Interpreter {
  let text = ''
  let isPjl = false
  let steps: Step[] = []
  let job: { name: string; pages: number; reports: boolean } | undefined
  let sent = ''
  /** Connections that have switched `USTATUS DEVICE` on. */
  const listeners = new Set<(bytes: Buffer) => void>()

  const send = (answer: (bytes: Buffer) => void, ...lines: string[]) =>
    answer(Buffer.from(`${lines.map((line) => `${line}\r\n`).join('')}\f`, 'latin1'))

  function toLines(): string[] {
    const isBusy = steps.some(isPage)
    const code = machine.isOpen ? 40021 : machine.paper <= 0 ? 41213 : machine.isPaused ? 10002 : isBusy ? 10023 : 10001
    return [`CODE=${code}`, 'DISPLAY="BEREIT"', `ONLINE=${canPrint(machine) ? 'TRUE' : 'FALSE'}`]
  }

  function runCommands(): void {
    while (steps[0] && 'command' in steps[0]) (steps.shift() as { command: () => void }).command()
  }

  function execute(command: string, answer: (bytes: Buffer) => void): void {
    const run = (step: () => void) => (readsAhead ? step() : void steps.push({ command: step }))
    const [, name = ''] = /NAME="([^"]*)"/.exec(command) ?? []
    if (command.startsWith('ECHO')) run(() => send(answer, `@PJL ${command}`))
    if (command === 'INFO STATUS') run(() => send(answer, '@PJL INFO STATUS', ...toLines()))
    if (command === 'USTATUS DEVICE=ON') listeners.add(answer)
    if (command.startsWith('JOB'))
      steps.push({
        command() {
          job = { name, pages: 0, reports: !hasNoEnd }
        },
      })
    if (command.startsWith('EOJ'))
      steps.push({
        command() {
          const result = isCancelled ? ['RESULT=USER_CANCELED'] : []
          if (job?.reports)
            send(answer, '@PJL USTATUS JOB', 'END', `NAME="${job.name}"`, `PAGES=${job.pages}`, ...result)
          job = undefined
        },
      })
  }

  return {
    observe() {
      const lines = toLines()
      if (lines.join() !== sent) for (const listener of listeners) send(listener, '@PJL USTATUS DEVICE', ...lines)
      sent = lines.join()
      runCommands()
    },
    receive(chunk, answer) {
      text += chunk.toString('latin1')
      for (;;) {
        if (text.startsWith(UEL)) {
          isPjl = true
          text = text.slice(UEL.length)
        }
        // It may be the begin of an exit.
        if (text === '' || UEL.startsWith(text)) return
        if (isPjl && text.startsWith('@PJL'.slice(0, text.length))) {
          const end = text.indexOf('\r\n')
          if (end === -1) return
          execute(text.slice('@PJL'.length, end).trim(), answer)
          text = text.slice(end + 2)
          continue
        }
        isPjl = false
        const exit = text.indexOf('\x1b%')
        const feed = text.indexOf('\f')
        if (feed === -1 || (exit !== -1 && exit < feed)) {
          if (exit === -1 || text.length < exit + UEL.length) return
          text = text.slice(exit)
          continue
        }
        steps.push({ page: text.slice(0, feed), answer })
        text = text.slice(feed + 1)
      }
    },
    hasWork() {
      runCommands()
      return isPage(steps[0])
    },
    nextSheet() {
      const step = steps.shift()
      if (!step || !('page' in step)) return undefined
      if (job) {
        job.pages++
        send(step.answer, '@PJL USTATUS PAGE', String(job.pages))
      }
      return step.page.replace('\x1bE', '').trim()
    },
    disconnect() {
      text = ''
      isPjl = false
    },
    clear() {
      text = ''
      steps = []
      job = undefined
    },
  }
}

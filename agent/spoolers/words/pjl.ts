/**
 * PJL of office printers: each copy is a job with a name, whose end the printer reports when its last page is in the
 * output bin. Commands are read in the order of the data, so a question behind a document that stops is not answered;
 * the printer then reports the cause by itself.
 *
 * Source: HP, Printer Job Language Technical Reference Manual, "JOB", "USTATUS", "INFO STATUS", "ECHO" and the status
 * codes.
 */
import { randomBytes } from 'node:crypto'
import { type Fences, followFences } from './fences.ts'
import type { Fault, Found, Talk, Word, WordTimings } from './word.ts'
import { WORD_TIMINGS } from './word.ts'

export interface PjlStatus {
  fault: Fault | undefined
  isBusy: boolean
}

type Message =
  | { kind: 'status'; status: PjlStatus; isAnswer: boolean }
  | { kind: 'end'; name: string; pages: number; isOk: boolean }
  | { kind: 'echo'; token: string }
  | { kind: 'page' | 'other' }

/** Universal exit language: what follows is PJL. */
const UEL = '\x1b%-12345X'
const FORM_FEED = 0x0c
const toCommands = (...commands: string[]) =>
  Buffer.from(`${UEL}@PJL\r\n${commands.map((command) => `@PJL ${command}\r\n`).join('')}`, 'latin1')
const createToken = () => `Platen ${randomBytes(6).toString('hex')}`

const CANCELLED: Fault = { message: 'The job was cancelled at the printer.', reasons: ['job-canceled-at-device'] }
const OFFLINE: Fault = { message: 'The printer is offline. Press its key for online.', reasons: ['offline'] }
const JAM: Fault = { message: 'Paper is jammed in the printer.', reasons: ['media-jam'] }
/** The first one that applies. Other codes do not stop the printer. */
const FAULTS: [code: RegExp, fault: Fault][] = [
  [/^41/, { message: 'The printer is out of paper, or asks for another paper.', reasons: ['media-empty'] }],
  [/^40021$/, { message: 'A cover of the printer is open.', reasons: ['cover-open'] }],
  [/^(40022$|42|44)/, JAM],
  // 40000 is the power save mode.
  [/^(40(?!000)|50)/, { message: 'The printer has stopped. Its display says why.', reasons: ['printer-stopped'] }],
]
/** It warms up, tests itself, cancels or processes a job. */
const BUSY = [10003, 10004, 10007, 10022, 10023]
/** So many answers without work end the wait for a printer that does not report the end of jobs. */
const READY_MIN = 2

export function createPjlWord(timings: WordTimings = WORD_TIMINGS): Word<PjlStatus> {
  /** The names of the copies of the last job. */
  let names: string[] = []

  return {
    question: '@PJL INFO STATUS',

    async ask(talk) {
      const token = createToken()
      const until = performance.now() + timings.answerMs
      talk.clear()
      talk.write(toQuestion(token))
      for (let isOurs = false; ; ) {
        const message = await talk.read(findMessage, until - performance.now())
        if (!message) return undefined
        // Older answers, and those to another computer, come before the echo.
        if (message.kind === 'echo') isOurs = message.token === token
        if (isOurs && message.kind === 'status' && message.isAnswer) return message.status
      }
    },

    opening(copy) {
      if (copy === 0) names = []
      const name = createToken()
      names.push(name)
      return toCommands('USTATUS JOB=ON', 'USTATUS PAGE=ON', 'USTATUS DEVICE=ON', `JOB NAME="${name}"`)
    },

    fence: (copy) => Buffer.concat([toCommands(`EOJ NAME="${names[copy]}"`), Buffer.from(UEL)]),

    follow: (talk, { copies }) => followFences(talk, new Jobs(names, copies, timings.fenceMs), timings),
  }
}

const toQuestion = (token: string) => Buffer.concat([toCommands(`ECHO ${token}`, 'INFO STATUS'), Buffer.from(UEL)])

/** What the printer reports about the copies of one document. */
class Jobs implements Fences<Message> {
  readonly hasFence = true
  readonly find = findMessage
  readonly copies: number
  readonly quietMs: number
  private readonly names: string[]
  private readonly printed = new Set<string>()
  private pages = 0
  private failure: { fault?: Fault } | undefined
  private status: PjlStatus = { fault: undefined, isBusy: false }
  private isAsked = false
  private readyAnswers = 0

  constructor(names: string[], copies: number, quietMs: number) {
    this.names = names
    this.copies = copies
    this.quietMs = quietMs
  }

  take(message: Message): boolean {
    if (message.kind === 'page') this.pages++
    if (message.kind === 'end' && this.names.includes(message.name)) {
      if (!message.isOk) this.failure = { fault: CANCELLED }
      else if (message.pages === 0) this.failure = {}
      else this.printed.add(message.name)
    }
    if (message.kind === 'status') {
      this.status = message.status
      if (message.isAnswer) this.isAsked = false
      const isReady = message.isAnswer && !this.status.fault && !this.status.isBusy
      this.readyAnswers = isReady ? this.readyAnswers + 1 : 0
      if (this.readyAnswers >= READY_MIN) this.failure ??= {}
    }
    return message.kind === 'page' || message.kind === 'end'
  }

  /** The pages of the document are not known. */
  count = () => ({ copies: this.printed.size, ...(this.pages > 0 && { printed: this.pages, of: undefined }) })

  giveUp = () => this.failure

  /** Sends a question only when the last one is answered. */
  async readStatus(talk: Talk): Promise<PjlStatus> {
    if (!this.isAsked) talk.write(toQuestion(createToken()))
    this.isAsked = true
    const { status } = this
    // A printer that says nothing more is not busy for ever.
    this.status = { ...status, isBusy: false }
    return status
  }
}

/** Each message ends with a form feed. */
function findMessage(arrived: Buffer): Found<Message> | undefined {
  const end = arrived.indexOf(FORM_FEED)
  if (end === -1) return undefined
  const text = arrived.toString('latin1', 0, end)
  const [head = '', ...lines] = text.slice(Math.max(0, text.lastIndexOf('@PJL '))).split(/\r?\n/)
  return { answer: readMessage(head.trim(), lines), length: end + 1 }
}

function readMessage(head: string, lines: string[]): Message {
  const fields = new Map(lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1).trim()]))
  if (head.startsWith('@PJL ECHO ')) return { kind: 'echo', token: head.slice('@PJL ECHO '.length) }
  if (head === '@PJL USTATUS PAGE') return { kind: 'page' }
  if (head === '@PJL USTATUS JOB' && lines[0]?.trim() === 'END') {
    const name = (fields.get('NAME') ?? '').replaceAll('"', '')
    return { kind: 'end', name, pages: Number(fields.get('PAGES')) || 0, isOk: (fields.get('RESULT') ?? 'OK') === 'OK' }
  }
  const isAnswer = head === '@PJL INFO STATUS'
  const code = fields.get('CODE')
  if (code === undefined || !(isAnswer || head === '@PJL USTATUS DEVICE')) return { kind: 'other' }
  const [, fault = code === '10002' || fields.get('ONLINE') === 'FALSE' ? OFFLINE : undefined] =
    FAULTS.find(([pattern]) => pattern.test(code)) ?? []
  return { kind: 'status', status: { fault, isBusy: BUSY.includes(Number(code)) }, isAnswer }
}

/**
 * Finds the language of a raw printer by questions. A printer of another language may print some of them, so a person
 * decides it: the agent never does it at its start, before a job or because of a document. Reference:
 * docs/network-printers.md#ask-the-printer.
 *
 * Sources: Epson, ESC/POS Command Reference, "GS I"; Zebra, ZPL II Programming Guide, "~HI" and "ezpl.print_width".
 */
import { isRasterPrinter, type RasterPrinter, recognizeModel } from '../raster/raster-printer.ts'
import { createEscposWord, createId, findMessage, type Message, PAPER_FENCE, toIdFence } from './escpos.ts'
import { type Found, type Talk, WORD_TIMINGS, type WordTimings } from './word.ts'
import { findLines, findNumber, findStatus, QUESTION, toGetVariable } from './zpl.ts'

/** What a printer says of itself. A resolution or width that is absent is not known. */
export interface FoundLanguage extends Partial<RasterPrinter> {
  rawLanguage: RasterPrinter['rawLanguage']
  /** It answers `GS ( H` with the id. */
  hasIds?: true
}

type Finder<Answer> = (arrived: Buffer) => Found<Answer> | undefined
/** @returns the answer; undefined after the time. */
type Read = <Answer>(question: Buffer | string, find: Finder<Answer>) => Promise<Answer | undefined>

/** Removes what a receipt printer has taken for text and not printed yet. */
const INITIALIZE = Buffer.from([0x1b, 0x40])

/**
 * Takes at most 4 s. Must not be called while a job is sent.
 *
 * @returns undefined for a printer that answers in none of the languages.
 * @throws the error of the connection.
 */
export async function findLanguage(
  talk: Talk,
  timings: WordTimings = WORD_TIMINGS,
): Promise<FoundLanguage | undefined> {
  const read: Read = async (question, find) => {
    talk.clear()
    talk.write(question)
    return await talk.read(find, timings.answerMs)
  }
  const { ask } = createEscposWord({ hasIds: undefined }, undefined, timings)
  // One stray byte at the begin of a connection is no answer.
  const status = (await ask(talk)) && (await ask(talk))
  const found = status ? await readEscpos(read, status.fault !== undefined) : await readZpl(read)
  // A label printer ignores it. It is sent to every other one, because what it does not know may be in its line.
  if (found?.rawLanguage !== 'zpl') talk.write(INITIALIZE)
  return found
}

/** Manufacturer and model. */
const GS_I = { maker: Buffer.from([0x1d, 0x49, 66]), model: Buffer.from([0x1d, 0x49, 67]) } as const

/** @param isOffline it then executes no further question. */
async function readEscpos(read: Read, isOffline: boolean): Promise<FoundLanguage> {
  if (isOffline) return { rawLanguage: 'escpos' }
  const hasFences = await read(PAPER_FENCE, findKind('paper'))
  const id = createId()
  const answer = hasFences && (await read(toIdFence(id), findKind('id')))
  const hasIds = answer?.kind === 'id' && id.equals(answer.id)
  // Imitations have models of Epson, and another resolution.
  const isEpson = (await read(GS_I.maker, findText)) === 'EPSON'
  const model = isEpson && (await read(GS_I.model, findText))
  return { ...(model && recognizeModel(`EPSON ${model}`)), rawLanguage: 'escpos', ...(hasIds && { hasIds }) }
}

/** The first message of a kind, after those of other kinds. */
function findKind(kind: Message['kind']): Finder<Message> {
  return (arrived) => {
    for (let length = 0; ; ) {
      const found = findMessage(arrived.subarray(length))
      if (!found) return undefined
      length += found.length
      if (found.answer.kind === kind) return { ...found, length }
    }
  }
}

/** A text between `_` and NUL. */
function findText(arrived: Buffer): Found<string> | undefined {
  const start = arrived.indexOf('_')
  const end = start === -1 ? -1 : arrived.indexOf(0, start)
  return end === -1 ? undefined : { answer: arrived.toString('latin1', start + 1, end), length: end + 1 }
}

/** Dots per inch by dots per millimetre. */
const DPI: Record<string, number> = { 6: 152, 8: 203, 12: 300, 24: 600 }
/** Its answer: model, version, dots per millimetre, memory. */
const ASK_IDENTITY = '~HI'
const ASK_WIDTH = toGetVariable('ezpl.print_width')
/** The number of the communication, no paper, paused. */
const STATUS_LINE = /^\d{3},[01],[01],/

async function readZpl(read: Read): Promise<FoundLanguage | undefined> {
  const [line = ''] = (await read(QUESTION, findStatus)) ?? []
  if (!STATUS_LINE.test(line)) return undefined
  const [identity = ''] = (await read(ASK_IDENTITY, (arrived) => findLines(arrived, 1))) ?? []
  const dpi = DPI[identity.split(',')[2] ?? '']
  const width = Number(await read(ASK_WIDTH, findNumber))
  const isWidth = isRasterPrinter({ rawLanguage: 'zpl', dpi, width })
  return { rawLanguage: 'zpl', ...(dpi && { dpi }), ...(isWidth && { width }) }
}

/**
 * Languages with fences: bytes behind a copy, or around it, that the printer answers when the copy is printed. While
 * the answers are missing, the printer is asked for its state, to explain why.
 */
import type { Fault, Found, Progress, Talk, WordTimings } from './word.ts'
import { NOT_ANSWERING } from './word.ts'

export interface Fences<Message> {
  copies: number
  /** Whether the printer will answer; without it only its state is observed. */
  hasFence: boolean
  find(arrived: Buffer): Found<Message> | undefined
  /** @returns whether the message is about a copy. */
  take(message: Message): boolean
  /**
   * What the messages have said so far: the printed copies, and the numbers for people if they are others, such as
   * pages.
   */
  count(): { copies: number; printed?: number; of?: number | undefined }
  /** @param take gets what comes before the answer. @returns undefined if the printer does not answer. */
  readStatus(
    talk: Talk,
    take: (message: Message) => void,
  ): Promise<{ fault: Fault | undefined; isBusy?: boolean } | undefined>
  /** How long a printer that is not busy may take for its answer. */
  quietMs: number
  /** Set when no answer will prove the job, with the cause if it was not printed. */
  giveUp?(): { fault?: Fault } | undefined
}

export async function* followFences<Message>(
  talk: Talk,
  fences: Fences<Message>,
  timings: WordTimings,
): AsyncIterable<Progress> {
  const { hasFence, quietMs } = fences
  let quietSinceMs = performance.now()
  let answeredAtMs = quietSinceMs
  let end: Progress['end']
  const take = (message: Message) => {
    if (fences.take(message)) quietSinceMs = performance.now()
  }
  while (!end) {
    const message = await talk.read(fences.find, hasFence ? timings.everyMs[2] : 0)
    if (message) take(message)
    let fault: Fault | undefined
    if (!message && !talk.isClosed()) {
      const status = await fences.readStatus(talk, take)
      const now = performance.now()
      if (status) answeredAtMs = now
      fault = status?.fault ?? (now - answeredAtMs > timings.idleMs ? NOT_ANSWERING : undefined)
      if (fault || !status || status.isBusy) quietSinceMs = now
      else if (now - quietSinceMs > quietMs) end = 'without-proof'
    }
    const { copies, ...shown } = fences.count()
    const failure = fences.giveUp?.()
    if (hasFence && copies >= fences.copies) end = 'printed'
    else if (failure) [end, fault] = ['without-proof', failure.fault]
    else if (!message && talk.isClosed()) end = 'without-proof'
    yield {
      ...(hasFence && { printed: copies, of: fences.copies, ...shown }),
      ...(fault && { fault }),
      ...(end && { end }),
    }
    if (!hasFence && !end) await talk.pause(timings.everyMs[1])
  }
}

/**
 * Limits the messages that one stream has in progress and their rate, so that no agent fills the queues of its replica.
 */
import { STREAM_LIMITS } from '@platen/resources/limits.ts'
import { TokenBucket } from '@platen/runtime/token-bucket.ts'

const { tokensPerSecond, tokensMax, bytesPerToken, inProgressMax } = STREAM_LIMITS

/** The messages of a pause are then read at once and share a batch. Singly, each costs a call and a statement. */
const PAUSE_MIN_MS = 250

export class Intake {
  private readonly bucket = new TokenBucket({ perSecond: tokensPerSecond, burst: tokensMax })
  private readonly organization: TokenBucket
  private inProgress = 0
  private resume: () => void = () => undefined

  /** @param organization shared by the streams of the organization. */
  constructor(organization: TokenBucket) {
    this.organization = organization
  }

  /**
   * Returns when the next message may be read.
   *
   * @param bytes of the last message.
   * @param onSlow called if the rate is exceeded.
   */
  async wait(bytes: number, onSlow: () => void): Promise<void> {
    const tokens = Math.max(1, Math.floor(bytes / bytesPerToken))
    const waitMs = Math.max(this.bucket.take(tokens), this.organization.take(tokens))
    if (waitMs > 0) {
      onSlow()
      await new Promise((resolve) => setTimeout(resolve, Math.max(PAUSE_MIN_MS, waitMs)))
    }
    while (this.inProgress >= inProgressMax)
      await new Promise<void>((resolve) => {
        this.resume = resolve
      })
  }

  /** @param work must not fail. */
  track(work: Promise<unknown>): void {
    this.inProgress++
    void work.then(() => {
      this.inProgress--
      this.resume()
    })
  }
}

import { LRUCache } from 'lru-cache'

/** A rate limit with a burst. */
export interface Rate {
  perSecond: number
  /** Tokens after an idle time. */
  burst: number
}

export class TokenBucket {
  private readonly rate: Rate
  private readonly now: () => number
  private tokens: number
  private countedAt: number

  /** @param now milliseconds of a monotonic clock. */
  constructor(rate: Rate, now = () => performance.now()) {
    this.rate = rate
    this.now = now
    this.tokens = rate.burst
    this.countedAt = now()
  }

  /** Takes tokens, also more than there are. @returns the milliseconds until all of them are paid. */
  take(count = 1): number {
    this.refill()
    this.tokens -= count
    return Math.max(0, (-this.tokens / this.rate.perSecond) * 1000)
  }

  /** Takes a token if there is one. */
  tryTake(): boolean {
    return this.takeWithin(0) !== undefined
  }

  /** Takes a token if it is paid within `maxMs`. @returns the milliseconds until then; undefined if none is taken. */
  takeWithin(maxMs: number): number | undefined {
    this.refill()
    const waitMs = Math.max(0, ((1 - this.tokens) / this.rate.perSecond) * 1000)
    if (waitMs > maxMs) return undefined
    this.tokens--
    return waitMs
  }

  private refill(): void {
    const now = this.now()
    this.tokens = Math.min(this.rate.burst, this.tokens + ((now - this.countedAt) / 1000) * this.rate.perSecond)
    this.countedAt = now
  }
}

/** A bucket for each key. Beyond `max` keys the least recently used one is deleted, and has its burst again. */
export class TokenBuckets {
  private readonly buckets: LRUCache<string, TokenBucket>
  private readonly rate: Rate
  private readonly now: (() => number) | undefined

  constructor(rate: Rate, max: number, now?: () => number) {
    this.buckets = new LRUCache({ max })
    this.rate = rate
    this.now = now
  }

  get(key: string): TokenBucket {
    const known = this.buckets.get(key)
    if (known) return known
    const bucket = new TokenBucket(this.rate, this.now)
    this.buckets.set(key, bucket)
    return bucket
  }
}

/**
 * Holds requests until the user has signed in again. The dialog over the page observes it and opens it. What was typed
 * on the page is kept, because the page stays.
 */

/** `recent`: signed in, but the action needs a code that was entered within the last hour. */
export type SignInReason = 'signed-out' | 'recent'

class SignInGate {
  #reason: SignInReason | undefined
  #opened = Promise.withResolvers<void>()
  readonly #listeners = new Set<() => void>()

  /** @returns when the user has signed in. @throws the reason of an abort, and `cancelled` of `cancel`. */
  async wait(reason: SignInReason, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    // A missing session is the stronger reason.
    if (this.#reason !== 'signed-out') this.#set(reason)
    const aborted = Promise.withResolvers<never>()
    const onAbort = () => aborted.reject(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    await Promise.race([this.#opened.promise, aborted.promise]).finally(() =>
      signal?.removeEventListener('abort', onAbort),
    )
  }

  open(): void {
    this.#settle((opened) => opened.resolve())
  }

  /** Only of `recent`: the waiting actions fail. */
  cancel(error: Error): void {
    this.#settle((opened) => opened.reject(error))
  }

  readonly get = (): SignInReason | undefined => this.#reason

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #settle(settle: (opened: PromiseWithResolvers<void>) => void): void {
    const opened = this.#opened
    this.#opened = Promise.withResolvers()
    this.#set(undefined)
    // Without a waiting request the rejection would be unhandled.
    opened.promise.catch(() => undefined)
    settle(opened)
  }

  #set(reason: SignInReason | undefined): void {
    this.#reason = reason
    for (const listener of this.#listeners) listener()
  }
}

export const signInGate = new SignInGate()

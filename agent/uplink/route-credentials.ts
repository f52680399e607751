/**
 * How a channel of grpc-js reaches the service: through the tunnel of a proxy, by TLS. Keeps why it does not, of which
 * grpc-js has a text at most.
 */
import type { Socket } from 'node:net'
import { ChannelCredentials, credentials } from '@grpc/grpc-js'
import type { AgentConfig } from '../config.ts'
import { getTrustContext } from '../transport/trust.ts'
import { ProxyFailure, requestTunnel, toAuthority } from '../transport/tunnel.ts'

type SecureConnectorArguments = Parameters<ChannelCredentials['_createSecureConnector']>
type SecureConnector = ReturnType<ChannelCredentials['_createSecureConnector']>

/** No connection, tunnel or TLS session. The cause has a code of Node, or is a ProxyFailure. */
export class ConnectionFailure extends Error {
  override name = 'ConnectionFailure'
}

/** grpc-js has no connection, because a name or a TCP connection failed. The code is a part of the text. */
const NOT_CONNECTED = /^(No connection established|Name resolution failed)/

export class RouteCredentials extends ChannelCredentials {
  readonly #target: URL
  readonly #proxy: URL | undefined
  readonly #secured: ChannelCredentials
  readonly #closing = new AbortController()
  #stage: 'connecting' | 'reached' | 'established' = 'connecting'
  #failure: unknown

  /** @throws ConfigError if `caFile` is not usable. */
  constructor(target: URL, proxy: URL | undefined, { caFile }: Pick<AgentConfig, 'caFile'>) {
    super()
    this.#target = target
    this.#proxy = proxy
    this.#secured =
      target.protocol === 'https:'
        ? credentials.createFromSecureContext(getTrustContext(caFile))
        : credentials.createInsecure()
  }

  override _isSecure(): boolean {
    return this.#secured._isSecure()
  }

  override _equals(other: ChannelCredentials): boolean {
    return other === this
  }

  override _createSecureConnector(...[, options, callCredentials]: SecureConnectorArguments): SecureConnector {
    const target = { scheme: 'dns', path: toAuthority(this.#target) }
    const connector = this.#secured._createSecureConnector(target, options, callCredentials)
    return {
      connect: (socket) => this.#establish(connector, socket),
      waitForReady: () => connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    }
  }

  /** Ends an attempt of the proxy that is in progress. */
  close(): void {
    this.#closing.abort()
  }

  /**
   * @param error of a call.
   * @param isLate the call has no answer within its time limit.
   * @returns a ConnectionFailure if no connection was established, otherwise the error.
   */
  toCause(error: unknown, isLate = false): unknown {
    const details = error instanceof Error && 'details' in error ? String(error.details) : ''
    const code = getCode(details)
    const isEstablished = this.#stage === 'established'
    if (isLate ? isEstablished : !NOT_CONNECTED.test(details) || (isEstablished && !code)) return error
    const cause = this.#failure ?? this.#createError(code)
    return new ConnectionFailure('no connection was established', { cause })
  }

  async #establish(connector: SecureConnector, socket: Socket): ReturnType<SecureConnector['connect']> {
    try {
      const proxy = this.#proxy
      const reached = proxy ? await requestTunnel(socket, this.#target, proxy, this.#closing.signal) : socket
      this.#stage = 'reached'
      const established = await connector.connect(reached)
      this.#stage = 'established'
      return established
    } catch (error) {
      this.#failure = error
      throw error
    }
  }

  #createError(code: string | undefined): Error {
    if (this.#stage !== 'connecting') return toError(code ?? 'ERR_TLS_HANDSHAKE_TIMEOUT')
    const error = toError(code ?? 'ETIMEDOUT')
    return this.#proxy ? new ProxyFailure(this.#proxy, undefined, { cause: error }) : error
  }
}

const toError = (code: string) => Object.assign(new Error('no connection was established'), { code })

const getCode = (details: string): string | undefined =>
  details.startsWith('Name resolution') ? 'ENOTFOUND' : /\bE[A-Z]{4,}\b/.exec(details)?.[0]

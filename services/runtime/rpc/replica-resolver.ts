/**
 * The addresses of the replicas of a service, by DNS. grpc-js queries DNS only after a connection ended: a connection
 * attempt to an address that is gone would hang for a minute although DNS already names the new replica. Here it also
 * queries at an interval.
 *
 * Reference: https://github.com/grpc/grpc/blob/master/doc/naming.md
 */
import { type ChannelOptions, experimental } from '@grpc/grpc-js'

/** Within this time a client uses an added replica and leaves a removed one, beside the TTL of the DNS server. */
export const RESOLVE_EVERY_MS = 5_000

class ReplicaResolver implements experimental.Resolver {
  readonly #dns: experimental.Resolver
  #timer: NodeJS.Timeout | undefined

  constructor(target: experimental.GrpcUri, listener: experimental.ResolverListener, options: ChannelOptions) {
    this.#dns = experimental.createResolver({ ...target, scheme: 'dns' }, listener, options)
  }

  updateResolution(): void {
    this.#dns.updateResolution()
    this.#timer ??= setInterval(() => this.#dns.updateResolution(), RESOLVE_EVERY_MS).unref()
  }

  destroy(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#dns.destroy()
  }

  static getDefaultAuthority({ path }: experimental.GrpcUri): string {
    return path
  }
}

experimental.registerResolver('replicas', ReplicaResolver)

/** @returns the target of a channel to all replicas of a service. */
export const toReplicas = (hostname: string, port: string) => `replicas:///${hostname}:${port}`

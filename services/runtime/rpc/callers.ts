/**
 * Who may call a method, as its contract declares it (`proto/platen/operators/v1/callers.proto`), and how a service is
 * known as a caller: by the SHA-256 of its key (docs/operations/calls.md#calls-between-services).
 */
import { type DescMethod, getOption } from '@bufbuild/protobuf'
import { Code, ConnectError, type Interceptor, type UnaryRequest } from '@connectrpc/connect'
import { Health } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { Caller, CallerSchema, callers } from '@platen/proto/gen/platen/operators/v1/callers_pb.ts'
import { z } from 'zod'
import { matchesAny, toSha256 } from '../keyring.ts'
import { KEY_HEADER } from './metadata.ts'

/** Names by number: `test-computers` of `CALLER_TEST_COMPUTERS`. */
const NAMES = new Map(
  CallerSchema.values.map(({ number, localName }) => [number, localName.toLowerCase().replaceAll('_', '-')]),
)

/** The services that call others, by their roles. */
export const CALLING_SERVICES = [...NAMES.values()].slice(Caller.OPERATOR + 1)

const callersByMethod = new WeakMap<DescMethod, string[]>()

/** @returns their names, for example `gateway`. */
export function getCallers(method: DescMethod): string[] {
  const known = callersByMethod.get(method) ?? getOption(method, callers).flatMap((caller) => NAMES.get(caller) ?? [])
  callersByMethod.set(method, known)
  return known
}

export const isForOperators = (method: DescMethod): boolean => getCallers(method).includes('operator')

/** Digests of keys and the services that they belong to. Both may be repeated. */
export type RpcCallers = readonly { name: string; digest: Buffer }[]

const ENTRY = new RegExp(`^(${CALLING_SERVICES.join('|')})=([0-9a-f]{64})$`, 'i')

/** `gateway=<SHA-256 as hexadecimal>,devices=<…>` */
export const rpcCallers = z.string().transform((text, ctx): RpcCallers => {
  const entries = text.split(',').map((entry) => ENTRY.exec(entry.trim()))
  if (entries.some((entry) => !entry))
    ctx.addIssue({
      code: 'custom',
      message: `must be a list such as gateway=DIGEST,devices=DIGEST of ${CALLING_SERVICES.join(', ')}, in which each digest is the SHA-256 of a PLATEN_RPC_KEY as 64 hexadecimal digits`,
    })
  return entries.map((entry) => ({ name: entry?.[1] ?? '', digest: Buffer.from(entry?.[2] ?? '', 'hex') }))
})

/** @returns the services to which the key of a call belongs. */
export function identifyCaller(known: RpcCallers, { header }: Pick<UnaryRequest, 'header'>): string[] {
  const digest = toSha256(header.get(KEY_HEADER) ?? '')
  return known.filter((caller) => matchesAny([caller.digest], digest)).map(({ name }) => name)
}

/**
 * Refuses methods that are not for any of these callers. Health checks are for everyone, because probes have no key.
 */
export function requireCaller(getNames: (request: Pick<UnaryRequest, 'header'>) => string[]): Interceptor {
  return (next) => (request) => {
    if (request.service.typeName === Health.typeName) return next(request)
    const names = getNames(request)
    const permitted = getCallers(request.method)
    if (names.some((name) => permitted.includes(name))) return next(request)
    const method = `${request.service.typeName}/${request.method.name}`
    const reason =
      names.length === 0
        ? `The key of the call to ${method} is missing or unknown.`
        : `${names.join(', ')} cannot call ${method}, which is for ${permitted.join(', ')}.`
    throw new ConnectError(
      `${reason} Check PLATEN_RPC_KEY of the caller and PLATEN_RPC_CALLERS of the called service.`,
      Code.PermissionDenied,
    )
  }
}

/** Each service as a separate process, as on a cluster. */
import { join } from 'node:path'
import { allServices, type Installation, loopbackUrl, type Stores } from '@platen/deploy/launcher/services.ts'
import type { NodeProcess } from '@platen/deploy/launcher/start-process.ts'

/** Services with RPCs. */
export const RPC_SERVICES = ['accounts', 'jobs', 'devices', 'usage', 'webhooks'] as const

export type RpcPorts = Record<(typeof RPC_SERVICES)[number], number>

export const ALL_SERVICES = [...RPC_SERVICES, 'gateway', 'test-computers'] as const

export type AnyService = (typeof ALL_SERVICES)[number]

/** Names of the operations ports. */
export const OPS_PORTS = ALL_SERVICES.map((name) => `${name} ops` as const)

export type OpsPorts = Record<(typeof OPS_PORTS)[number], number>

/** @returns the processes; `test-computers` is the last. */
export function separateServices(
  installation: Installation,
  stores: Stores,
  ports: RpcPorts & OpsPorts,
): NodeProcess[] {
  const { env, ...all } = allServices(installation, stores)
  const urls = RPC_SERVICES.map((name) => [`PLATEN_${name.toUpperCase()}_URL`, loopbackUrl(ports[name])] as const)
  const create = (name: AnyService, own: Record<string, string> = {}): NodeProcess => ({
    ...all,
    name,
    args: [name],
    env: {
      ...env,
      PLATEN_RPC_KEY: Object.entries(installation.secrets.rpcKeys).find(([caller]) => caller === name)?.[1] ?? '',
      PLATEN_OPS_LISTEN: `127.0.0.1:${ports[`${name} ops`]}`,
      ...Object.fromEntries(urls),
      ...own,
    },
    logFile: join(installation.data.logs, `${name}.log`),
  })
  return [
    ...RPC_SERVICES.map((name) => create(name, { PLATEN_RPC_LISTEN: `127.0.0.1:${ports[name]}` })),
    create('gateway'),
    create('test-computers'),
  ]
}

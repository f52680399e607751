/** Reads what the lists of printers and computers show beside the resources of the public API. */
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { getRoles } from '../authentication/require-permission.ts'
import type { Role } from '../caller.ts'
import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { listEnrollments } from '../operations/enrollments/list-enrollments.ts'
import { createSources, TIMEOUT_MS } from './sources.ts'

export async function readDevices(gateway: Gateway, tenant: Tenant, role: Role) {
  const [{ computers, printerIds, usableEnrollments }, offered] = await Promise.all([
    gateway.devices.listComputerNames(tenant),
    gateway.agentPackages?.read(),
  ])
  return {
    computers: computers.map(({ id, name, printers }) => ({ id, name, printers })),
    printers: await readPrinters(gateway, tenant, printerIds),
    usableEnrollments: getRoles(listEnrollments, tenant.mode).includes(role) ? usableEnrollments : null,
    agent: offered
      ? { version: offered.version, platforms: [...new Set(offered.packages.map(({ platform }) => platform))] }
      : null,
  }
}

async function readPrinters({ jobs }: Gateway, tenant: Tenant, printerIds: string[]) {
  const { read } = createSources()
  const call = { timeoutMs: TIMEOUT_MS }
  const [queues, last] = await Promise.all([
    read('jobs', jobs.listPrinterQueues(tenant, call)),
    read('jobs', jobs.listLastPrints({ ...tenant, printerIds }, call)),
  ])
  if (!queues || !last) return null
  const waiting = new Map(queues.queues.map(({ first, jobs }) => [first?.printerId, jobs]))
  const printedAt = new Map(last.prints.map(({ printerId, printedAt }) => [printerId, printedAt]))
  return printerIds.map((id) => {
    const time = printedAt.get(id)
    return { id, waiting: waiting.get(id) ?? 0, lastPrintAt: time ? timestampDate(time).toISOString() : null }
  })
}

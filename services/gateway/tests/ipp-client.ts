/** Printers of a gateway with IPP, used as computers use them. */

import type { IppAnswer, IppRequest } from '@platen/agent/ipp/client.ts'
import { openIppClient } from '@platen/agent/ipp/client.ts'
import { IppError } from '@platen/agent/ipp/ipp-error.ts'
import { newOrganization, type Organization, type PrinterFacts } from '@platen/test/harness/organization.ts'
import { onTestFinished } from 'vitest'
import { addGateway } from './client.ts'

/** A laser that can do all. */
export const LASER = {
  papers: [
    { name: 'A4', size: { width: 2100, height: 2970 } },
    { name: 'A5', size: { width: 1480, height: 2100 } },
    { name: 'Letter', size: { width: 2159, height: 2794 } },
    { name: 'A3', size: { width: 2970, height: 4200 } },
    { name: 'Roll', size: { width: 800 } },
  ],
  bins: ['tray-1', 'Tray 2 (manual)'],
  dpis: ['300x300', '600x600'],
  medias: ['stationery', 'labels'],
  printrate: { rate: 30, unit: 'ppm' },
  duplex: true,
  color: true,
  collate: true,
  copies: 99,
  nup: [1, 2, 4],
  formats: { names: ['pdf', 'raw'] },
}

export type IppPrinting = Awaited<ReturnType<typeof newIppPrinting>>

/** An organization with a shared printer and a print access, at a gateway with IPP. */
export async function newIppPrinting(facts: PrinterFacts = {}, gateway: Parameters<typeof addGateway>[0] = {}) {
  const organization = await newOrganization()
  const { url, world } = await addGateway({ ipp: true, ...gateway })
  await world.accounts.updateOrganization({ organizationId: organization.id, allowsPrintAccess: true })
  const printer = await addShared(organization, facts)
  const secret = await addAccess(organization)
  const at = (path: string) => `${url}/ipp/print/${path}`
  return { ...organization, url, printer, secret, at, address: at(`${printer.number}/${secret}`), open }
}

export async function addShared(organization: Organization, { capabilities = LASER, ...facts }: PrinterFacts = {}) {
  const { id, computerId } = await organization.addPrinter('live', { capabilities, ...facts })
  const { body } = await organization.api.patch(`/v1/printers/${id}`, { shared: true })
  return { id, computerId, number: body.number as number }
}

export async function addAccess({ api }: Pick<Organization, 'api'>, facts: object = {}): Promise<string> {
  return (await api.post('/v1/print-access', { name: "Anna's laptop", ...facts })).body.secret
}

/** A client that sends one request, and gets refusals as answers. */
function open(address: string) {
  const client = openIppClient({ url: address })
  onTestFinished(() => client.close())
  return async (
    operation: IppRequest['operation'],
    request: Omit<IppRequest, 'operation'> = {},
  ): Promise<IppAnswer> => {
    try {
      return await client.request({ operation, ...request })
    } catch (error) {
      if (!(error instanceof IppError)) throw error
      const { status, detail } = error
      return {
        status,
        message: detail,
        operationAttributes: {},
        printers: [],
        jobs: [],
        unsupported: {},
        data: Buffer.alloc(0),
      }
    }
  }
}

/** Printers of a system on computers, by IPP: docs/ipp.md. The system needs `PLATEN_IPP`. */
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { type Api, createApi, expectStatus } from './api.ts'
import type { System } from './system.ts'

export interface IppPrinters {
  /** Its key has the scope `admin`. */
  api: Api
  /** @returns the number of the printer, which is its path without a secret. */
  share(printerId: string): Promise<number>
  /** A print access reaches all shared printers. */
  addAccess(): Promise<{ id: string; secret: string }>
}

/** Permits printing from computers in an organization. */
export async function openIppPrinters(
  system: System,
  organizationId: string,
  mode: 'live' | 'test',
): Promise<IppPrinters> {
  await system.connect(AccountsService, 'accounts').updateOrganization({ organizationId, allowsPrintAccess: true })
  const api = createApi(system.baseUrl, await system.addKey(organizationId, mode, ['admin']))
  return {
    api,
    share: async (id) => expectStatus(200, await api.patch(`/v1/printers/${id}`, { shared: true })).number,
    addAccess: async () => expectStatus(201, await api.post('/v1/print-access', { name: 'Computer' })),
  }
}

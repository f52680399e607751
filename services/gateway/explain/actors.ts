import type { Client } from '@connectrpc/connect'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { JobDetails } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Tenant } from '../context.ts'

interface NamedActor {
  kind: 'key' | 'user'
  id: string
  /** Null for a user, whose name API keys do not get, and for an unknown key. */
  name: string | null
}

export interface NamedActors {
  createdBy: NamedActor | null
  cancelledBy: NamedActor | null
}

/** Who created and cancelled a job, as `key:<id>` or `user:<id>`. Jobs do not store it yet. */
function readActors(_: JobDetails): { createdBy?: string | undefined; cancelledBy?: string | undefined } {
  return {}
}

export async function nameActors(
  accounts: Pick<Client<typeof AccountsService>, 'getApiKey'>,
  tenant: Tenant,
  details: JobDetails,
): Promise<NamedActors> {
  const { createdBy, cancelledBy } = readActors(details)
  const [creator, canceller] = await Promise.all(
    [createdBy, cancelledBy].map((actor) => nameActor(accounts, tenant, actor)),
  )
  return { createdBy: creator ?? null, cancelledBy: canceller ?? null }
}

/** @param actor of the job's organization, which the key is compared with. */
export async function nameActor(
  accounts: Pick<Client<typeof AccountsService>, 'getApiKey'>,
  { organizationId }: Pick<Tenant, 'organizationId'>,
  actor: string | undefined,
): Promise<NamedActor | null> {
  const [, kind, id] = /^(key|user):(.+)$/.exec(actor ?? '') ?? []
  if (kind === 'user' && id) return { kind, id, name: null }
  if (kind !== 'key' || !id) return null
  const { apiKey } = await accounts.getApiKey({ apiKeyId: id })
  return { kind, id, name: apiKey?.organizationId === organizationId ? apiKey.name : null }
}

import type { Client } from '@connectrpc/connect'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Caller } from '../caller.ts'

interface NamedActor {
  kind: 'key' | 'user' | 'print_access'
  id: string
  /**
   * The name of a key or print access, or the address of a user. Null for a user if an API key asks, and for a person
   * who has left the organization.
   */
  name: string | null
}

export interface NamedActors {
  createdBy: NamedActor | null
  cancelledBy: NamedActor | null
}

type Accounts = Pick<Client<typeof AccountsService>, 'getApiKey' | 'listMembers'>
type Reader = Pick<Caller, 'organization' | 'credential'>

/** Who created and cancelled the job. Null if it was not a request, and for jobs of release 0.1.0. */
export async function nameActors(accounts: Accounts, reader: Reader, job: Job): Promise<NamedActors> {
  const [createdBy = null, cancelledBy = null] = await Promise.all(
    [job.createdBy, job.cancelledBy].map((actor) => nameActor(accounts, reader, actor)),
  )
  return { createdBy, cancelledBy }
}

/** @param actor `key:<id>`, `user:<id>` or `print_access:<id>`. */
async function nameActor(
  accounts: Accounts,
  { organization, credential }: Reader,
  actor: string | undefined,
): Promise<NamedActor | null> {
  const [, kind, id] = /^(key|user|print_access):(.+)$/.exec(actor ?? '') ?? []
  if ((kind === 'key' || kind === 'print_access') && id) {
    const { apiKey } = await accounts.getApiKey({ apiKeyId: id })
    return { kind, id, name: apiKey?.organizationId === organization.id ? apiKey.name : null }
  }
  if (kind !== 'user' || !id) return null
  if (credential.kind === 'key') return { kind, id, name: null }
  const { members } = await accounts.listMembers({ organizationId: organization.id })
  return { kind, id, name: members.find(({ userId }) => userId === id)?.email ?? null }
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { keysQuery } from '../../api/queries.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RowDetails } from '../../ui/row-details.tsx'
import { Table } from '../../ui/table.tsx'
import { Age, Clock, Day, LastUse } from '../../ui/time.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'

export function KeysPage() {
  const live = useLive()
  const { mode, isPermitted } = live
  const [isCreating, setIsCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey>()
  const isAdmin = isPermitted('listApiKeys')
  const query = useQuery(keysQuery(live))
  return (
    <>
      <PageHeader title="API keys">
        {isAdmin && (
          <Button variant="primary" onClick={() => setIsCreating(true)}>
            Create a key
          </Button>
        )}
      </PageHeader>
      {!isAdmin ? (
        <Empty title="Only owners and admins can see API keys" />
      ) : (
        <Loaded query={query} failure="The keys could not be loaded.">
          {({ data }) =>
            data.length === 0 ? (
              <Empty
                title={`No API keys in ${mode} mode`}
                curl={`export PLATEN_KEY=…\ncurl ${location.origin}/v1/whoami -H "Authorization: Bearer $PLATEN_KEY"`}
              >
                <p className="mb-3">A program uses the API with a key.</p>
                <Button variant="primary" onClick={() => setIsCreating(true)}>
                  Create the first key
                </Button>
              </Empty>
            ) : (
              <div className="section-table bg-surface">
                <Table
                  label="API keys"
                  columns={[
                    { label: 'Name' },
                    { label: 'Key', className: 'hidden w-46 sm:table-cell' },
                    { label: 'Scopes', className: 'hidden w-[14%] md:table-cell' },
                    { label: 'Created', className: 'hidden w-[15%] lg:table-cell' },
                    { label: 'Expires', className: 'hidden w-28 lg:table-cell' },
                    { label: 'Last used', className: 'w-24' },
                    { label: 'Refused', className: 'hidden w-24 sm:table-cell' },
                    { label: 'Action', className: 'w-26', isHidden: true },
                  ]}
                >
                  {data.map((apiKey) => (
                    <KeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => setRevoking(apiKey)} />
                  ))}
                </Table>
              </div>
            )
          }
        </Loaded>
      )}
      {isCreating && <CreateKeyDialog onClose={() => setIsCreating(false)} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke(): void }) {
  const { mode } = useLive()
  const { id, name, prefix, lastFour, scopes, createdAt, createdBy, lastUsedAt, expiresAt, revokedAt } = apiKey
  const isRevoked = revokedAt !== null
  return (
    <tr data-key={id} className={isRevoked ? 'text-muted' : ''}>
      <td title={name}>
        <span className="font-medium">{name}</span>
        <RowDetails parts={[`${prefix}…${lastFour}`, scopes.join(', ')]} />
      </td>
      <td className="id hidden sm:table-cell">
        {prefix}…{lastFour}
      </td>
      <td className="hidden md:table-cell">{scopes.join(', ')}</td>
      <td className="hidden text-muted lg:table-cell">
        <Clock time={createdAt} />
        {createdBy && ` by ${createdBy.name ?? 'a removed user'}`}
      </td>
      <td className="hidden text-muted lg:table-cell">{expiresAt ? <Day time={expiresAt} /> : 'never'}</td>
      <td className="text-muted">{lastUsedAt ? <Age time={lastUsedAt} /> : 'never'}</td>
      <td className="hidden sm:table-cell">
        <Link
          to="/$mode/requests"
          params={{ mode }}
          search={{ key: id }}
          className="link"
          aria-label={`Refused requests of ${name}`}
        >
          Requests
        </Link>
      </td>
      <td>
        {isRevoked ? (
          revokedAt === expiresAt ? (
            'expired'
          ) : (
            'revoked'
          )
        ) : (
          <Button className="min-h-6.5" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </td>
    </tr>
  )
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { id, name, prefix, lastFour, scopes, createdAt, lastUsedAt } = apiKey
  const live = useLive()
  const { mode, send } = live
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => send((api) => api.DELETE('/account/keys/{id}', { params: { path: { id } } })),
    onSuccess() {
      announce(`Revoked the ${mode} key ${name}`)
      void queryClient.invalidateQueries({ queryKey: keysQuery(live).queryKey })
      onClose()
    },
  })
  return (
    <Confirm title={`Revoke the ${mode} key ${name}?`} action="Revoke key" mutation={revoke} onClose={onClose}>
      <p>
        <span className="id">
          {prefix}…{lastFour}
        </span>
        , {scopes.join(', ')}, created <Clock time={createdAt} />
      </p>
      <LastUse time={lastUsedAt} />
      <p>Requests with it are refused within 5 seconds. This cannot be undone.</p>
    </Confirm>
  )
}

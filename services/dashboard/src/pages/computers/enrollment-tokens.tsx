import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedEnrollment } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { enrollmentsQuery } from '../../api/queries.ts'
import { usePages } from '../../api/use-pages.ts'
import { announce } from '../../ui/announce.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { More } from '../../ui/more.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'
import { Clock, formatDuration, useNow } from '../../ui/time.tsx'

type Token = ListedEnrollment

export function EnrollmentTokens() {
  const [revoking, setRevoking] = useState<Token>()
  const query = usePages(enrollmentsQuery(useLive()))
  return (
    <Section title="Enrolment tokens" isFlush>
      <Loaded query={query} failure="The enrolment tokens could not be loaded.">
        {(tokens) =>
          tokens.length === 0 ? (
            <p className="p-4 text-sm text-muted">“Add a computer” creates a token, which is listed here.</p>
          ) : (
            <Table
              label="Enrolment tokens"
              columns={[
                { label: 'Created' },
                { label: 'Valid for', className: 'w-32' },
                { label: 'Computers', className: 'w-28' },
                { label: 'Id', className: 'hidden w-[40%] lg:table-cell' },
                { label: 'Action', className: 'w-24', isHidden: true },
              ]}
            >
              {tokens.map((token) => (
                <tr key={token.id}>
                  <td>
                    <Clock time={token.createdAt} />
                  </td>
                  <td>
                    <Validity token={token} />
                  </td>
                  <td>
                    {token.uses} of {token.maxUses}
                  </td>
                  <td className="id hidden lg:table-cell">{token.id}</td>
                  <td>
                    <Button className="min-h-6.5" onClick={() => setRevoking(token)}>
                      Revoke
                    </Button>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      <More query={query} />
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />}
    </Section>
  )
}

export function Validity({
  token: { expiresAt, uses, maxUses },
}: {
  token: Pick<Token, 'expiresAt' | 'uses' | 'maxUses'>
}) {
  const left = Date.parse(expiresAt) - useNow()
  if (uses >= maxUses) return <span className="text-muted">used</span>
  if (left <= 0) return <span className="text-muted">expired</span>
  return formatDuration(Math.ceil(left / 1000) * 1000)
}

function RevokeDialog({ token, onClose }: { token: Token; onClose(): void }) {
  const live = useLive()
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => live.send((api) => api.DELETE('/v1/enrollments/{id}', { params: { path: { id: token.id } } })),
    onSuccess() {
      announce('Revoked the token')
      void queryClient.invalidateQueries({ queryKey: enrollmentsQuery(live).queryKey })
      onClose()
    },
  })
  return (
    <Confirm title="Revoke this enrolment token?" action="Revoke token" mutation={revoke} onClose={onClose}>
      <p>No computer can be enrolled with it any more. The {token.uses} that were enrolled with it stay.</p>
    </Confirm>
  )
}

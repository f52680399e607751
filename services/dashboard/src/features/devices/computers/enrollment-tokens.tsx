import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedEnrollment } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { enrollmentsQuery } from '../../../api/queries.ts'
import { serverNow } from '../../../api/server-time.ts'
import { usePages } from '../../../api/use-pages.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { More } from '../../../ui/more.tsx'
import { Table } from '../../../ui/table.tsx'
import { Clock, formatAge, useNow } from '../../../ui/time.tsx'

type Token = ListedEnrollment

/** Loads the tokens when it is opened. @param usable how many of them. */
export function EnrollmentTokens({ usable }: { usable: number }) {
  const [isShown, setIsShown] = useState(false)
  return (
    <details className="panel" onToggle={(event) => setIsShown(event.currentTarget.open)}>
      <summary className="min-h-11 px-4 py-3 text-sm">
        Enrolment tokens: {usable === 0 ? 'none' : usable} can be used
      </summary>
      {isShown && <Tokens />}
    </details>
  )
}

function Tokens() {
  const [revoking, setRevoking] = useState<Token>()
  const query = usePages(enrollmentsQuery(useLive()))
  return (
    <div className="section-table border-t">
      <Loaded query={query} failure="The enrolment tokens could not be loaded.">
        {(tokens) => {
          const open = tokens.filter(isOpen)
          return tokens.length === 0 ? (
            <p className="p-4 text-sm text-muted">“Add a computer” creates a token, which is listed here.</p>
          ) : (
            <>
              {open.length === 0 ? (
                <p className="p-4 text-sm text-muted">No token can be used.</p>
              ) : (
                <TokenTable label="Enrolment tokens" tokens={open} onRevoke={setRevoking} />
              )}
              {open.length < tokens.length && (
                <details className="border-t">
                  <summary className="px-4 py-2 text-sm text-muted">
                    {tokens.length - open.length} used or expired
                  </summary>
                  <TokenTable label="Used and expired tokens" tokens={tokens.filter((token) => !isOpen(token))} />
                </details>
              )}
            </>
          )
        }}
      </Loaded>
      <More query={query} />
      {revoking && <RevokeDialog token={revoking} onClose={() => setRevoking(undefined)} />}
    </div>
  )
}

const isOpen = ({ expiresAt, uses, maxUses }: Token) => uses < maxUses && Date.parse(expiresAt) > serverNow()

interface TokenTableProps {
  label: string
  tokens: Token[]
  onRevoke?: (token: Token) => void
}

function TokenTable({ label, tokens, onRevoke }: TokenTableProps) {
  return (
    <Table
      label={label}
      columns={[
        { label: 'Created' },
        { label: 'Valid for', className: 'w-24 sm:w-32' },
        { label: 'Computers', className: 'w-20 sm:w-28' },
        { label: 'Id', className: 'hidden w-[40%] lg:table-cell' },
        ...(onRevoke ? [{ label: 'Action', className: 'w-22', isHidden: true }] : []),
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
          {onRevoke && (
            <td>
              <Button className="min-h-6.5 px-2" onClick={() => onRevoke(token)}>
                Revoke
              </Button>
            </td>
          )}
        </tr>
      ))}
    </Table>
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
  return formatAge(left)
}

function RevokeDialog({ token, onClose }: { token: Token; onClose(): void }) {
  const live = useLive()
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => live.send((api) => api.DELETE('/v1/enrollments/{id}', { params: { path: { id: token.id } } })),
    onSuccess() {
      announce('Revoked the token')
      void queryClient.invalidateQueries({ queryKey: enrollmentsQuery(live).queryKey })
      void queryClient.invalidateQueries({ queryKey: [...live.key, 'devices'] })
      onClose()
    },
  })
  return (
    <Confirm title="Revoke this enrolment token?" action="Revoke token" mutation={revoke} onClose={onClose}>
      <p>No computer can be enrolled with it any more. The {token.uses} that were enrolled with it stay.</p>
    </Confirm>
  )
}

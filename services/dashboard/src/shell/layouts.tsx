import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LiveProvider } from '../api/live.tsx'
import type { Mode } from '../api/session.ts'
import { findOrganization, getLastMode, sessionQuery, storeLastMode } from '../api/session.ts'
import { NoOrganization } from './no-organization.tsx'
import { Shell } from './shell.tsx'

/** Of pages whose path begins with a mode. */
export function ModeLayout() {
  const { mode } = useParams({ strict: false }) as { mode: Mode }
  useEffect(() => storeLastMode(mode), [mode])
  return <OrganizationLayout mode={mode} hasMode />
}

/** Of pages without a mode. Their links lead to the last one. */
export function PlainLayout() {
  return <OrganizationLayout mode={getLastMode()} hasMode={false} />
}

function OrganizationLayout({ mode, hasMode }: { mode: Mode; hasMode: boolean }) {
  const { org } = useSearch({ from: '__root__' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const organization = findOrganization(session, org)
  if (!organization) return <NoOrganization email={session.user.email} />
  return (
    <LiveProvider key={`${organization.id} ${mode}`} session={session} organization={organization} mode={mode}>
      <Shell hasMode={hasMode}>
        <Outlet />
      </Shell>
    </LiveProvider>
  )
}

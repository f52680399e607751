import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useMatches, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LiveProvider } from '../api/live.tsx'
import type { Mode } from '../api/session.ts'
import { findOrganization, getLastMode, isMode, sessionQuery, storeLastMode } from '../api/session.ts'
import { Announcements } from '../ui/announce.tsx'
import { NoOrganization } from './no-organization.tsx'
import { Shell } from './shell.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'

/**
 * Stays mounted while pages change, so that the frame, the feed and the cache outlive the way to a page without a mode
 * and back.
 */
export function RootLayout() {
  const { mode, hasFrame } = useMatches({
    select: (matches) => {
      const { routeId, params } = matches.at(-1) ?? {}
      const { mode } = (params ?? {}) as { mode?: unknown }
      return { mode: isMode(mode) ? mode : undefined, hasFrame: routeId !== '/' }
    },
    structuralSharing: true,
  })
  // Loaded by the guards of pages. A path without a page has no guard, and visitors without a session see it without a
  // frame.
  const { data: session } = useQuery({ ...sessionQuery, enabled: false })
  return (
    <>
      {hasFrame && session ? <OrganizationLayout mode={mode} /> : <Outlet />}
      <SignInDialog />
      <Announcements />
    </>
  )
}

/** @param mode that of the path. Links of pages without one lead to the last one. */
function OrganizationLayout({ mode }: { mode: Mode | undefined }) {
  const { org } = useSearch({ from: '__root__' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const [userId] = useState(session.user.id)
  const isOtherUser = session.user.id !== userId
  useEffect(() => {
    if (mode) storeLastMode(mode)
  }, [mode])
  // Another tab has signed in another user: nothing of the first one stays in memory.
  useEffect(() => {
    if (isOtherUser) location.assign('/app/')
  }, [isOtherUser])
  if (isOtherUser) return null
  const organization = findOrganization(session, org)
  if (!organization) return <NoOrganization email={session.user.email} />
  const shown = mode ?? getLastMode()
  return (
    <LiveProvider key={`${organization.id} ${shown}`} session={session} organization={organization} mode={shown}>
      <Shell hasMode={mode !== undefined}>
        <Outlet />
      </Shell>
    </LiveProvider>
  )
}

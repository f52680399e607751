import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageHeader } from './page-header.tsx'

const PAGES: { label: string; to: LinkProps['to'] }[] = [
  { label: 'Organization', to: '/settings/organization' },
  { label: 'Members', to: '/settings/members' },
  { label: 'Sessions', to: '/settings/sessions' },
  { label: 'Invitations', to: '/settings/invitations' },
  { label: 'Audit log', to: '/settings/audit' },
]

/** The first lines of the pages of the settings. */
export function SettingsHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <>
      <PageHeader title={title} isLive={false}>
        {children}
      </PageHeader>
      <nav aria-label="Settings" className="flex flex-wrap border-b bg-surface px-2 sm:gap-1">
        {PAGES.map(({ label, to }) => (
          <Link
            key={label}
            to={to}
            activeOptions={{ includeSearch: false }}
            className="-mb-px flex min-h-9 items-center border-b-2 px-1 text-sm font-medium sm:px-2"
            activeProps={{ className: 'border-accent' }}
            inactiveProps={{ className: 'border-transparent text-muted hover:text-text' }}
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  )
}

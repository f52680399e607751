import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import {
  Activity,
  Bell,
  ChartNoAxesColumn,
  CircleSlash,
  KeyRound,
  LayoutDashboard,
  ListOrdered,
  type LucideIcon,
  Monitor,
  MonitorSmartphone,
  Printer,
  Route,
  Webhook,
} from 'lucide-react'
import type { Session } from '../api/gen/schema.ts'
import { useLive } from '../api/live.tsx'
import type { Mode } from '../api/session.ts'

interface Entry {
  label: string
  Icon: LucideIcon
  to: LinkProps['to']
  /** The search of a fresh visit. */
  search?: object
  isExact?: boolean
  /** Only on installations that offer it. */
  needs?: 'ipp'
}

/** In the order of the navigation. */
const PAGES: Entry[] = [
  { label: 'Overview', Icon: LayoutDashboard, to: '/$mode', isExact: true },
  { label: 'Jobs', Icon: ListOrdered, to: '/$mode/jobs', search: {} },
  { label: 'Printers', Icon: Printer, to: '/$mode/printers', search: {} },
  { label: 'Computers', Icon: Monitor, to: '/$mode/computers' },
  { label: 'Destinations', Icon: Route, to: '/$mode/destinations' },
  { label: 'Webhooks', Icon: Webhook, to: '/$mode/webhooks' },
  { label: 'Requests', Icon: CircleSlash, to: '/$mode/requests', search: {} },
  { label: 'Events', Icon: Activity, to: '/$mode/events', search: {} },
  { label: 'Alerts', Icon: Bell, to: '/$mode/alerts' },
  { label: 'Keys', Icon: KeyRound, to: '/$mode/keys' },
  { label: 'Print access', Icon: MonitorSmartphone, to: '/$mode/print-access', needs: 'ipp' },
  { label: 'Usage', Icon: ChartNoAxesColumn, to: '/usage' },
]

/** The pages of this installation. */
export const listPages = ({ offers }: Session): Entry[] =>
  PAGES.filter(({ needs }) => needs === undefined || offers[needs])

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const { mode, session } = useLive()
  return (
    <nav aria-label="Pages">
      <ul className="flex flex-col gap-0.5">
        {listPages(session).map(({ label, Icon, to, search, isExact = false }) => (
          <li key={label}>
            <Link
              to={to}
              params={{ mode } as never}
              search={search as never}
              activeOptions={{ exact: isExact, includeSearch: false }}
              onClick={onNavigate}
              className="flex min-h-8 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium text-muted hover:bg-raised hover:text-text"
              activeProps={{ className: 'bg-raised text-text' }}
            >
              <Icon size={16} aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const MODES: Mode[] = ['live', 'test']

/** Leads to the same list in the other mode. A resource exists in one mode only. */
export function ModeSwitch({ hasMode, onNavigate }: { hasMode: boolean; onNavigate?: () => void }) {
  const { mode } = useLive()
  // "/test/jobs/1" leads to "/live/jobs".
  const section = useLocation({ select: ({ pathname }) => pathname.split('/')[2] ?? '' })
  return (
    <fieldset aria-label="Mode" className="grid grid-cols-2 rounded-md border bg-canvas p-0.5 text-sm">
      {MODES.map((one) => (
        <Link
          key={one}
          to={(hasMode && section !== '' ? `/$mode/${section}` : '/$mode') as '/$mode'}
          params={{ mode: one }}
          onClick={onNavigate}
          aria-current={hasMode && one === mode ? 'true' : undefined}
          className={`flex min-h-7 items-center justify-center rounded font-medium ${
            hasMode && one === mode ? 'border bg-surface' : 'text-muted hover:text-text'
          }`}
        >
          {one === 'live' ? 'Live' : 'Test'}
        </Link>
      ))}
    </fieldset>
  )
}

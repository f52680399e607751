/** What an alert rule can be about. Reference: docs/alerts.md. */

interface AlertKind {
  /**
   * A rule about a computer covers its printers as well, a rule about a printer no computer. A rule about webhook
   * endpoints covers all of them, and only `ENDPOINT_ALERT_ROLES` have one. A rule about destinations covers all of
   * them as well.
   */
  device: 'computer' | 'printer' | 'destination' | 'endpoint'
  /** How long a problem lasts before its mail, by default. Null: there is no duration. */
  minutes: number | null
}

export const ALERT_KINDS = {
  computer_offline: { device: 'computer', minutes: 30 },
  agent_outdated: { device: 'computer', minutes: null },
  printer_offline: { device: 'printer', minutes: 10 },
  printer_attention: { device: 'printer', minutes: null },
  destination_unavailable: { device: 'destination', minutes: 5 },
  job_waiting: { device: 'printer', minutes: 15 },
  job_failed: { device: 'printer', minutes: null },
  endpoint_failing: { device: 'endpoint', minutes: 60 },
  endpoint_disabled: { device: 'endpoint', minutes: null },
} as const satisfies Record<string, AlertKind>

export type AlertKindName = keyof typeof ALERT_KINDS

export const ALERT_KIND_NAMES = Object.keys(ALERT_KINDS) as [AlertKindName, ...AlertKindName[]]

export const ENDPOINT_ALERT_KINDS = ALERT_KIND_NAMES.filter((kind) => ALERT_KINDS[kind].device === 'endpoint')

/** The roles that can read webhook endpoints. */
export const ENDPOINT_ALERT_ROLES: readonly string[] = ['owner', 'admin']

/** Seven days. */
export const ALERT_MINUTES = { min: 1, max: 10_080 } as const

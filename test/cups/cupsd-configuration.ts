/**
 * The two files of a private `cupsd`: all its directories are its own, and it talks to nobody but this machine. Who may do what is as CUPS
 * is shipped, so that tests meet the doors that people's computers have.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export interface CupsdSettings {
  directory: string
  port: number
  socketPath: string
  /** Until a change of a job or printer is on disk; CUPS itself waits 30 s. 0 writes at once. */
  saveAfterSeconds: number
}

/** `cups-files.conf`. As root, `cupsd` runs filters and backends as `lp`. */
export function cupsFiles({ directory }: CupsdSettings): string {
  const isRoot = process.getuid?.() === 0
  const [user, group] = isRoot ? ['lp', 'lp'] : [ask('-un'), ask('-gn')]
  const at = (name: string) => join(directory, name)
  return `
ServerRoot ${at('etc')}
ServerBin /usr/lib/cups
DataDir /usr/share/cups
DocumentRoot /usr/share/cups/doc-root
StateDir ${at('state')}
CacheDir ${at('cache')}
RequestRoot ${at('spool')}
TempDir ${at('spool/tmp')}
ServerKeychain ${at('etc/ssl')}
ErrorLog ${at('log/error_log')}
AccessLog ${at('log/access_log')}
PageLog ${at('log/page_log')}
Printcap
FileDevice Yes
User ${user}
Group ${group}
SystemGroup ${isRoot ? 'root' : group}
`
}

const ask = (flag: string) => execFileSync('id', [flag], { encoding: 'utf8' }).trim()

export function cupsdConf({ port, socketPath, saveAfterSeconds }: CupsdSettings): string {
  return `
LogLevel info
MaxLogSize 0
Listen 127.0.0.1:${port}
Listen ${socketPath}
Browsing Off
BrowseLocalProtocols none
DefaultAuthType Basic
DefaultEncryption Never
WebInterface No
MaxJobs 0
MaxClients 200
PreserveJobHistory Yes
PreserveJobFiles No
DirtyCleanInterval ${saveAfterSeconds}
FilterLimit 0
JobRetryInterval 2
JobRetryLimit 3
ErrorPolicy abort-job
IdleExitTimeout 0
<Location />
  Order allow,deny
</Location>
<Location /admin>
  Order allow,deny
</Location>
${DEFAULT_POLICY}`
}

/** Word for word what CUPS 2.4 is shipped with, without what concerns documents and passwords: who may do what to whose job. */
const DEFAULT_POLICY = `<Policy default>
  JobPrivateAccess default
  JobPrivateValues default
  SubscriptionPrivateAccess default
  SubscriptionPrivateValues default
  <Limit Create-Job Print-Job Print-URI Validate-Job>
    Order deny,allow
  </Limit>
  <Limit Send-Document Send-URI Hold-Job Release-Job Restart-Job Purge-Jobs Set-Job-Attributes Create-Job-Subscription Renew-Subscription Cancel-Subscription Get-Notifications Reprocess-Job Cancel-Current-Job Suspend-Current-Job Resume-Job Cancel-My-Jobs Close-Job CUPS-Move-Job>
    Require user @OWNER @SYSTEM
    Order deny,allow
  </Limit>
  <Limit CUPS-Add-Modify-Printer CUPS-Delete-Printer CUPS-Add-Modify-Class CUPS-Delete-Class CUPS-Set-Default CUPS-Get-Devices>
    AuthType Default
    Require user @SYSTEM
    Order deny,allow
  </Limit>
  <Limit Pause-Printer Resume-Printer Enable-Printer Disable-Printer Pause-Printer-After-Current-Job Hold-New-Jobs Release-Held-New-Jobs Deactivate-Printer Activate-Printer Restart-Printer Shutdown-Printer Startup-Printer Promote-Job Schedule-Job-After Cancel-Jobs CUPS-Accept-Jobs CUPS-Reject-Jobs>
    AuthType Default
    Require user @SYSTEM
    Order deny,allow
  </Limit>
  <Limit Cancel-Job CUPS-Authenticate-Job>
    Require user @OWNER @SYSTEM
    Order deny,allow
  </Limit>
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
`

/** What lets any bytes through to a raw queue; CUPS looks for it beside its configuration. */
export const RAW_TYPES = 'application/octet-stream\n'
export const RAW_CONVERSIONS = 'application/octet-stream application/vnd.cups-raw 0 -\n'

/** `ippeveprinter` wants a D-Bus to announce itself on, though it is told not to. */
export function busConf(socketPath: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${socketPath}</listen><auth>EXTERNAL</auth><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
`
}

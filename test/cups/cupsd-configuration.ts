/**
 * The files of a private `cupsd`: all its directories are its own, and it listens on loopback only. It has the default
 * policy of CUPS, and one that requires a password.
 */
import { execFileSync } from 'node:child_process'

/** `cups-files.conf`. As root, `cupsd` runs filters and backends as `lp`. */
export function cupsFiles(directory: string): string {
  const isRoot = process.getuid?.() === 0
  const ask = (flag: string) => execFileSync('id', [flag], { encoding: 'utf8' }).trim()
  const [user, group] = isRoot ? ['lp', 'lp'] : [ask('-un'), ask('-gn')]
  return `
ServerRoot ${directory}/etc
StateDir ${directory}/state
CacheDir ${directory}/cache
RequestRoot ${directory}/spool
TempDir ${directory}/spool/tmp
ServerKeychain ${directory}/etc/ssl
ErrorLog ${directory}/log/error_log
AccessLog ${directory}/log/access_log
PageLog ${directory}/log/page_log
Printcap
FileDevice Yes
User ${user}
Group ${group}
SystemGroup ${isRoot ? 'root' : group}
`
}

export const cupsdConf = (port: number, socketPath: string, saveAfterSeconds: number) => `
LogLevel info
MaxLogSize 0
Listen 127.0.0.1:${port}
Listen ${socketPath}
Browsing Off
DefaultEncryption Never
WebInterface No
MaxJobs 0
MaxClients 200
MaxJobTime 1
PreserveJobFiles No
DirtyCleanInterval ${saveAfterSeconds}
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
<Policy password>
  <Limit Create-Job>
    AuthType Basic
    Require valid-user
  </Limit>
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
`

/** Allows any bytes for raw queues. CUPS reads it from its configuration directory. */
export const RAW_TYPES = 'application/octet-stream\n'
export const RAW_CONVERSIONS = 'application/octet-stream application/vnd.cups-raw 0 -\n'

/** `ippeveprinter` requires a D-Bus even if announcements are disabled. */
export const busConf = (
  socketPath: string,
) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${socketPath}</listen><auth>EXTERNAL</auth><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
`

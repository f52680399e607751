<#
.SYNOPSIS
Installs, upgrades or removes the Platen agent. Run as administrator in the directory of the unpacked package.

Uses a scheduled task instead of a service, because Node does not implement the protocol of services without another program. NOT VERIFIED on Windows yet: see docs/agent-packages.md.
#>
[CmdletBinding(DefaultParameterSetName = 'Install')]
param(
  [Parameter(ParameterSetName = 'Install')][string]$Server,
  [Parameter(ParameterSetName = 'Install')][switch]$Insecure,
  [Parameter(ParameterSetName = 'Install')][switch]$AllowNetworkPrinters,
  [Parameter(ParameterSetName = 'Install')][string]$Token = $env:PLATEN_ENROLL_TOKEN,
  [Parameter(ParameterSetName = 'Remove', Mandatory)][switch]$Remove,
  [Parameter(ParameterSetName = 'Remove')][switch]$Purge
)
$ErrorActionPreference = 'Stop'
$task = 'Platen agent'
$program = Join-Path $env:ProgramFiles 'Platen'
$data = Join-Path $env:ProgramData 'Platen'
# These ids are the same in every language.
$system = 'S-1-5-18'
$administrators = 'S-1-5-32-544'

$admin = [Security.Principal.WindowsBuiltInRole]::Administrator
if (-not ([Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()).IsInRole($admin)) {
  throw 'Run this as administrator.'
}

# The task is stopped first, because it would restart the agent.
if (Get-ScheduledTask -TaskName $task -ErrorAction SilentlyContinue) {
  Stop-ScheduledTask -TaskName $task
  Unregister-ScheduledTask -TaskName $task -Confirm:$false
}
Get-Process -Name 'platen-agent' -ErrorAction SilentlyContinue | Stop-Process -Force
Get-Process -Name 'platen-agent' -ErrorAction SilentlyContinue | Wait-Process -Timeout 10

if ($Remove) {
  Remove-Item -Recurse -Force $program -ErrorAction SilentlyContinue
  if ($Purge) { Remove-Item -Recurse -Force $data -ErrorAction SilentlyContinue }
  return
}

foreach ($part in 'platen-agent.exe', 'platen-agent.cjs', 'node_modules\koffi', 'node_modules\@koromix', 'node_modules\@embedpdf') {
  if (-not (Test-Path (Join-Path $PSScriptRoot $part))) { throw "$PSScriptRoot contains no $part. Unpack the whole package." }
}
# Files of an older version are not kept.
Remove-Item -Recurse -Force $program -ErrorAction SilentlyContinue
Copy-Item $PSScriptRoot $program -Recurse -Force

# Every user may create a directory in ProgramData, owns it, and can put a configuration into it.
function Assert-Trusted($item) {
  $owner = (Get-Acl -LiteralPath $item.FullName).GetOwner([Security.Principal.SecurityIdentifier]).Value
  if (($owner -notin $system, $administrators) -or ($item.Attributes -band [IO.FileAttributes]::ReparsePoint)) {
    throw "$($item.FullName) belongs to another account ($owner) or is a link. Delete it or move it away, and run this again."
  }
}
function Set-Access([string[]]$arguments) {
  & "$env:SystemRoot\System32\icacls.exe" $data $arguments | Out-Null
  if ($LASTEXITCODE -ne 0) { throw "The owner and the permissions of $data could not be set." }
}
if (-not (Test-Path -LiteralPath $data)) {
  New-Item -ItemType Directory $data | Out-Null
  Set-Access '/setowner', "*$administrators"
}
Assert-Trusted (Get-Item -Force -LiteralPath $data)
# Only the system and administrators may read the credential. The contents are checked when no other user can change them.
Set-Access '/inheritance:r', '/grant:r', "*${system}:(OI)(CI)F", "*${administrators}:(OI)(CI)F"
Get-ChildItem -Force -Recurse -LiteralPath $data | ForEach-Object { Assert-Trusted $_ }

$isEnrolled = Test-Path (Join-Path $data 'agent.json')
if (-not $isEnrolled -and -not $Server) { $Server = Read-Host 'Address of the service (https://…)' }
if ($Server -and -not $Token) {
  $Token = Read-Host $(if ($isEnrolled) { 'Enrolment token (empty: stay enrolled as before)' } else { 'Enrolment token' })
}
if ($Token -or -not $isEnrolled) {
  # Not on the command line, which other users can read.
  $env:PLATEN_ENROLL_TOKEN = $Token
  $options = @(if ($Insecure) { '--insecure' }; if ($AllowNetworkPrinters) { '--allow-network-printers' })
  & (Join-Path $program 'platen-agent.cmd') enroll --server $Server --data-dir $data @options
  $code = $LASTEXITCODE
  Remove-Item Env:PLATEN_ENROLL_TOKEN
  if ($code -ne 0) { throw 'The computer was not enrolled. The messages above describe the cause.' }
}

$action = New-ScheduledTaskAction -Execute "$env:SystemRoot\System32\cmd.exe" -Argument "/c `"$program\run-agent.cmd`""
$trigger = New-ScheduledTaskTrigger -AtStartup
$principal = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -LogonType ServiceAccount
$settings = New-ScheduledTaskSettingsSet -ExecutionTimeLimit ([TimeSpan]::Zero) -MultipleInstances IgnoreNew `
  -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
Register-ScheduledTask -TaskName $task -Action $action -Trigger $trigger -Principal $principal -Settings $settings | Out-Null
Start-ScheduledTask -TaskName $task
& (Join-Path $program 'platen-agent.cmd') printers

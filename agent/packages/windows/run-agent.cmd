@echo off
rem What the task "Platen agent" runs: the agent, again whenever it ends. Not after 3, with which it ends when the service does not want it.
:again
"%~dp0platen-agent.exe" run --data-dir "%ProgramData%\Platen" > nul
if %errorlevel% == 3 exit /b 3
rem 5 s; "timeout" needs a console, which a task has not.
ping -n 6 127.0.0.1 > nul
goto again

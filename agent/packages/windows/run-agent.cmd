@echo off
rem The command of the task "Platen agent". Restarts the agent, except after exit code 3: the service has ended this agent.
:again
call "%~dp0platen-agent.cmd" run --data-dir "%ProgramData%\Platen" > nul
if %errorlevel% == 3 exit /b 3
rem Waits 5 s. "timeout" needs a console, which a task does not have.
ping -n 6 127.0.0.1 > nul
goto again

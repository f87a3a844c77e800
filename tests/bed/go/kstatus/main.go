// Command kstatus says what sigs.k8s.io/cli-utils thinks of Kubernetes objects, so that tests can ask the code which kubectl
// wait, Flux and kpt use instead of a copy of its rules.
//
// It reads one JSON object a line from standard input and answers each with one line of JSON, in the same order:
// {"status": "Current", "message": "…"}. It stops at the first line that is no object, with exit code 1.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
)

type answer struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "kstatus:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	objects := json.NewDecoder(bufio.NewReader(in))
	answers := bufio.NewWriter(out)
	for {
		var line json.RawMessage
		if err := objects.Decode(&line); err == io.EOF {
			return answers.Flush()
		} else if err != nil {
			return err
		}
		// Not json.Unmarshal: kstatus takes whole numbers only as int64, which is how Kubernetes decodes them.
		var object unstructured.Unstructured
		if err := object.UnmarshalJSON(line); err != nil {
			return err
		}
		result, err := status.Compute(&object)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(answers).Encode(answer{result.Status.String(), result.Message}); err != nil {
			return err
		}
	}
}

// Command maven downloads one file of an artifact from Maven Central, for machines that have no mvn.
//
//	maven GROUP ARTIFACT VERSION SUFFIX FILE
//
// SUFFIX is what follows "ARTIFACT-VERSION-" in the file's name, such as "all.tar.gz". MAVEN_REPOSITORY names another repository.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/google/osv-scalibr/clients/datasource"
)

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: maven GROUP ARTIFACT VERSION SUFFIX FILE")
		os.Exit(2)
	}
	if err := download(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]); err != nil {
		fmt.Fprintln(os.Stderr, "maven:", err)
		os.Exit(1)
	}
}

// download asks a client that knows where Maven repositories are, and how to log in to them, for the artifact's POM. That is the only
// file that it can get; the request is turned to the wanted file beside it, whose body never reaches the client.
func download(group, artifact, version, suffix, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	beside := &besidePom{suffix: "-" + suffix, file: file}
	repository := datasource.MavenRegistry{URL: os.Getenv("MAVEN_REPOSITORY"), ReleasesEnabled: true}
	client, err := datasource.NewMavenRegistryAPIClient(context.Background(), repository, "", true, &http.Client{Transport: beside}, nil)
	if err != nil {
		return err
	}
	if _, err := client.GetProject(context.Background(), group, artifact, version); err != nil {
		return errors.Join(err, beside.err)
	}
	if beside.err != nil {
		return beside.err
	}
	return file.Close()
}

// besidePom fetches the file beside the POM that is asked for, keeps it, and answers with an empty project.
type besidePom struct {
	suffix string
	file   io.Writer
	err    error
}

func (b *besidePom) RoundTrip(request *http.Request) (*http.Response, error) {
	base, isPom := strings.CutSuffix(request.URL.Path, ".pom")
	if !isPom {
		return nil, fmt.Errorf("%s is not a POM", request.URL)
	}
	request = request.Clone(request.Context())
	request.URL.Path = base + b.suffix
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		return answer, err
	}
	defer answer.Body.Close()
	_, b.err = io.Copy(b.file, answer.Body)
	answer.Body = io.NopCloser(bytes.NewReader([]byte("<project/>")))
	return answer, nil
}
